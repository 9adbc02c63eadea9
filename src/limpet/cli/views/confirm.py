"""Show which memories, device, project or agent the user has confirmed."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import show_headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.confirm import ConfirmAnswer


def show(answer: ConfirmAnswer, out: Output) -> None:
    for stored in answer.memories:
        show_headline(f"confirmed {stored.memory.id}  ", stored.memory, out)
    for id in answer.forgotten:
        out.line(f"forgot {id}")
    if answer.device:
        out.line(f"what the device {answer.device} writes is used from now on")
    if answer.project:
        out.line(f"this folder is now known as the project {answer.project}")
    if answer.agent:
        out.line(f"in this project the agent is now {answer.agent}")
