"""Show what was imported."""

from __future__ import annotations

from limpet.cli.terminal import Output, print_notice
from limpet.cli.views.format import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.import_ import ImportAnswer

_MOST_PROPOSED = 20


def show(answer: ImportAnswer, out: Output) -> None:
    verb = "would add" if answer.dry_run else "added"
    out.line(
        f"{verb} {plural(answer.added, 'memory')} and {plural(answer.facts, 'fact')}; "
        f"skipped {answer.duplicates} with the same text, {answer.present} already here"
    )
    if answer.elsewhere:
        out.hint(f"{answer.elsewhere} of them are in other projects; --here adds them to this one")
    for sentence in answer.proposed[:_MOST_PROPOSED]:
        out.line(f"not done: {sentence}", style="yellow")
    if len(answer.proposed) > _MOST_PROPOSED:
        out.hint(f"{len(answer.proposed) - _MOST_PROPOSED} more were not done; --json lists them all")
    for problem in answer.problems:
        print_notice(problem)
