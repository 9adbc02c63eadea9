"""Show the path of the stash that was written for a session."""

from __future__ import annotations

import os

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.stash import StashAnswer


def show(answer: StashAnswer, out: Output) -> None:
    folder = os.path.dirname(answer.path)
    if answer.is_new:
        out.line(f"made {folder}; a .gitignore in it keeps it out of git")
    out.line(f"stashed {answer.path}", style="bold")
    if answer.waiting:
        out.remark(f"{answer.waiting} stashes wait to be distilled: limpet distil", style="dim")
