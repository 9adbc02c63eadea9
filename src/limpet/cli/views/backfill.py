"""How a backfill looks to a person."""

from __future__ import annotations

from datetime import datetime

from limpet.cli.terminal import Out, complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.learning.backfill import Filled
    from limpet.operations.backfill import Backfilled

_MOST_PROBLEMS = 10


def backfill(answer: Backfilled, out: Out, now: datetime) -> None:
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
        day = memory.created_at.astimezone().strftime("%Y-%m-%d")
        title = " ".join((memory.title or memory.content).split())
        out.line(f"  {day}  {memory.type.value:<10}  {title[: out.room(28)]}")
    _ending(filled, out)


def _counts(filled: Filled, out: Out) -> None:
    """What was read and what it came to; what was not read, with the reason."""
    # Stored, some would be known by the time that others come: only doing it tells the exact number.
    most, would = ("up to ", "would be ") if filled.dry else ("", "")
    if filled.sessions:
        read = f"{_many(filled.sessions, 'session')} with {_many(filled.events, 'event')}"
        kept = f"{_many(filled.kept, 'memory', 'memories')} and {_many(filled.summaries, 'summary', 'summaries')}"
        out.line(f"{read}: {most}{kept} {would}kept", style="bold")
    elif not (filled.failed or filled.stopped or filled.busy or filled.nowhere or filled.off):
        out.line("nothing new: every session on disk is known")
    for count, told in (
        (filled.live, "learnt as it happened, by the hooks"),
        (filled.nowhere, "passed over: not said in which folder"),
        (filled.off, "passed over: capture is off there"),
    ):
        if count:
            out.line(f"{_many(count, 'session')} {told}", style="dim")
    if filled.unread:
        out.line(f"{_many(filled.unread, 'line')} could not be read and were passed over", style="dim")


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


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"
