"""Show which memories were confirmed."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import show_headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.confirm import ConfirmAnswer


def show(answer: ConfirmAnswer, out: Output) -> None:
    for stored in answer.memories:
        show_headline(f"confirmed {stored.memory.id}  ", stored.memory, out)
    if answer.agent:
        out.line(f"in this project the agent is now {answer.agent}")
