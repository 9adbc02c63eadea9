"""Show what was learnt from recorded sessions."""

from __future__ import annotations

from limpet.cli.terminal import Out, complain
from limpet.cli.views.format import format_day, headline, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.learning.backfill import Filled
    from limpet.operations.backfill import Backfilled

_MOST_PROBLEMS = 10


def show(answer: Backfilled, out: Out) -> None:
    filled = answer.filled
    for path, problem in filled.failed[:_MOST_PROBLEMS]:
        complain(f"{path}: {problem}")
    if len(filled.failed) > _MOST_PROBLEMS:
        complain(f"{len(filled.failed) - _MOST_PROBLEMS} more could not be read either")
    if not filled.found and not filled.stopped:
        where = ", ".join(answer.places)
        out.remark(f"no sessions found in {where}" if where else "no agent has a folder here that could hold sessions")
        out.hint("name the folder that holds them: limpet backfill <folder>")
        return
    _counts(filled, out)
    for memory in filled.examples:
        start = f"  {format_day(memory.created_at)}  {memory.type.value:<10}  "
        out.line(start + headline(memory, out.room(len(start))))
    _ending(filled, out)


def _counts(filled: Filled, out: Out) -> None:
    """What was read and what it came to; what was not read, with the reason."""
    # Stored, some would be known by the time that others come: only doing it tells the exact number.
    most, would = ("up to ", "would be ") if filled.dry else ("", "")
    if filled.sessions:
        read = f"{plural(filled.sessions, 'session')} with {plural(filled.events, 'event')}"
        kept = f"{plural(filled.kept, 'memory')} and {plural(filled.summaries, 'summary')}"
        out.line(f"{read}: {most}{kept} {would}kept", style="bold")
    elif not (filled.failed or filled.stopped or filled.busy or filled.nowhere or filled.off):
        out.line("nothing new: every session on disk is known")
    for count, told in (
        (filled.live, "learnt as it happened, by the hooks"),
        (filled.nowhere, "passed over: not said in which folder"),
        (filled.off, "passed over: capture is off there"),
    ):
        if count:
            out.line(f"{plural(count, 'session')} {told}", style="dim")
    if filled.unread:
        out.line(f"{plural(filled.unread, 'line')} could not be read and were passed over", style="dim")


def _ending(filled: Filled, out: Out) -> None:
    if filled.stopped:
        complain(f"stopped: {filled.done} of {filled.found} sessions are done; run it again to go on from here")
    elif filled.busy:
        complain(
            f"another Limpet is learning just now: {filled.done} of {filled.found} sessions are done; "
            "run it again to go on from here"
        )
    elif filled.dry and filled.sessions:
        out.hint("nothing was stored; do it with: limpet backfill")
