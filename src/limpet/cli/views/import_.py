"""Show what was imported."""

from __future__ import annotations

from limpet.cli.terminal import Out, complain
from limpet.cli.views.format import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.import_ import ImportAnswer


def show(answer: ImportAnswer, out: Out) -> None:
    verb = "would add" if answer.dry_run else "added"
    out.line(
        f"{verb} {plural(answer.added, 'memory')} and {plural(answer.facts, 'fact')}; "
        f"{answer.duplicates} known by their text, {answer.present} here already"
    )
    if answer.elsewhere:
        out.hint(f"{answer.elsewhere} of them in other projects; --here would give them to this one")
    for problem in answer.problems:
        complain(problem)
