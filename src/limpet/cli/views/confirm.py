"""Show which memories were confirmed."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.confirm import ConfirmAnswer


def show(answer: ConfirmAnswer, out: Output) -> None:
    for stored in answer.memories:
        out.line(f"confirmed {stored.memory.id}  {headline(stored.memory, 80)}")
    if answer.agent:
        out.line(f"in this project the agent is now {answer.agent}")
