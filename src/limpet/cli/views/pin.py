"""Show whether a memory is now pinned."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import show_headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.query import Stored


def show(stored: Stored, out: Output) -> None:
    memory = stored.memory
    show_headline(f"{'pinned' if memory.pinned else 'unpinned'} {memory.id}  ", memory, out)
