"""Show whether a memory is pinned now."""

from __future__ import annotations

from limpet.cli.terminal import Out
from limpet.cli.views.format import headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.pin import Pinned


def show(answer: Pinned, out: Out) -> None:
    memory = answer.stored.memory
    out.line(f"{'pinned' if memory.pinned else 'unpinned'} {memory.id}  {headline(answer.stored.memory, 80)}")
