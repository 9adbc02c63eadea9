"""Show which memory was restored, and how."""

from __future__ import annotations

from limpet.cli.terminal import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.restore import Restored


def show(answer: Restored, out: Out) -> None:
    out.line(f"{answer.stored.memory.id}  {answer.how}")
