"""Show which memory was restored, and what was undone for it."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.restore import RestoreAnswer


def show(answer: RestoreAnswer, out: Output) -> None:
    out.line(f"{answer.stored.memory.id}  {answer.how}")
