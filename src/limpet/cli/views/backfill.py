"""Show what was learnt from recorded sessions."""

from __future__ import annotations

from limpet.cli.terminal import Output, print_notice
from limpet.cli.views.format import format_day, format_moment, show_headline
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.learning.from_recordings import BackfillReport
    from limpet.operations.backfill import BackfillAnswer

_MOST_PROBLEMS = 10


def show(answer: BackfillAnswer, out: Output) -> None:
    filled = answer.filled
    for path, problem in filled.failed[:_MOST_PROBLEMS]:
        print_notice(f"{path}: {problem}")
    if len(filled.failed) > _MOST_PROBLEMS:
        print_notice(f"{len(filled.failed) - _MOST_PROBLEMS} more could not be read")
    if not filled.found and not filled.stopped:
        where = ", ".join(answer.places)
        if where and answer.since is not None:
            out.remark(f"no session in {where} was active since {format_moment(answer.since)}")
            return
        out.remark(f"no sessions found in {where}" if where else "no folder with sessions of an agent was found")
        out.hint("name the folder with the sessions: limpet backfill <folder>")
        return
    _show_counts(filled, out)
    for memory in filled.examples:
        show_headline(f"  {format_day(memory.created_at)}  {memory.type.value:<10}  ", memory, out)
    _show_ending(answer, out)


def _show_counts(filled: BackfillReport, out: Output) -> None:
    """Show what was read and learnt, then what was skipped and why."""
    # A dry run stores nothing, so it cannot see that a later text repeats an earlier one: its numbers are upper limits.
    most, would = ("up to ", "would be ") if filled.dry else ("", "")
    if filled.sessions:
        read = f"{plural(filled.sessions, 'session')} with {plural(filled.events, 'event')}"
        noted = f"{most}{plural(filled.kept, 'memory')} and {plural(filled.summaries, 'summary')} {would}noted"
        if not (filled.kept or filled.summaries):
            noted = f"nothing {would or 'was '}noted"
        out.line(f"{read}: {noted}", style="bold")
    elif not (filled.failed or filled.stopped or filled.busy or filled.nowhere or filled.off):
        out.line("nothing new: all sessions on disk have been read")
    for count, what in (
        (filled.live, "learnt already, by the hooks"),
        (filled.nowhere, "skipped: their folder is not recorded"),
        (filled.off, "skipped: capture is off there"),
    ):
        if count:
            out.line(f"{plural(count, 'session')} {what}", style="dim")
    if filled.unread:
        out.line(
            f"{plural(filled.unread, 'line')} could not be read and {'was' if filled.unread == 1 else 'were'} skipped",
            style="dim",
        )


def _show_ending(answer: BackfillAnswer, out: Output) -> None:
    filled = answer.filled
    if filled.stopped:
        print_notice(f"stopped: {filled.done} of {filled.found} sessions are done; run it again to continue")
    elif filled.busy:
        print_notice(
            f"another Limpet process is learning: {filled.done} of {filled.found} sessions are done; "
            "run it again to continue"
        )
    elif filled.dry and filled.sessions:
        out.hint(f"nothing was stored; to store it: {answer.command}")
