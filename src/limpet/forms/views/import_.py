"""Show what was imported."""

from __future__ import annotations

from limpet.forms.terminal import Output, print_notice
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.import_ import ImportAnswer

_MOST_LINES = 20


def show_import(answer: ImportAnswer, out: Output) -> None:
    if answer.stopped:
        print_notice(f"stopped after {plural(len(answer.objects), 'object')}; import again for the rest")
    if answer.objects or answer.stopped:
        _show_objects(answer, out)
        return
    if answer.only_looked:
        _show_found(answer, out)
        return
    verb = "would add" if answer.dry_run else "added"
    out.line(
        f"{verb} {plural(answer.added, 'memory')} and {plural(answer.facts, 'fact')}; "
        f"skipped {answer.duplicates} with the same text, {answer.present} already here"
    )
    if answer.elsewhere:
        out.hint(f"{answer.elsewhere} of them are in other projects; --here adds them to this one")
    _show_proposed(answer, out)
    for problem in answer.problems:
        print_notice(problem)


def _show_found(answer: ImportAnswer, out: Output) -> None:
    if not answer.found:
        out.line("found no memories of other tools; give a file, or a tool with --from")
        return
    for name, path in answer.found:
        out.line(f"{name:<20} {path}")
    out.hint(f"nothing was imported; to see what would come: limpet import --from {answer.found[0][0]} --dry-run")


def _show_objects(answer: ImportAnswer, out: Output) -> None:
    counts = answer.counts()
    verb = "would add" if answer.dry_run else "added"
    out.line(f"{verb} {plural(answer.added, 'memory')} and {plural(answer.facts, 'fact')}")
    out.line(", ".join(f"{count} {result}" for result, count in counts.items() if count))
    others = [report for report in answer.objects if report.why and report.result != "known"]
    # What was refused comes first, because the user may have to do something about it.
    others.sort(key=lambda report: report.result != "refused")
    for report in others[:_MOST_LINES]:
        out.line(
            f"{report.result}: {report.name}: {report.why}", style="yellow" if report.result == "refused" else "dim"
        )
    if len(others) > _MOST_LINES:
        out.hint(f"{len(others) - _MOST_LINES} more have a remark; --json lists them all")
    _show_proposed(answer, out)


def _show_proposed(answer: ImportAnswer, out: Output) -> None:
    if answer.unconfirmed and not answer.dry_run:
        out.hint("told only when asked for; to look at them and confirm them: limpet confirm --source origin:import")
    for sentence in answer.proposed[:_MOST_LINES]:
        out.line(f"not done: {sentence}", style="yellow")
    if len(answer.proposed) > _MOST_LINES:
        out.hint(f"{len(answer.proposed) - _MOST_LINES} more were not done; --json lists them all")
