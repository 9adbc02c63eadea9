"""Show what a round of upkeep has done."""

from __future__ import annotations

from limpet.cli.terminal import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.upkeep.round import Round

_TOLD = {
    "learning": "learnt from sessions",
    "repair": "merges completed or undone",
    "deduplication": "stored twice, now once",
    "expiry": "expired, now in the archive",
    "promotion": "proved to be of lasting use",
    "decay": "faded to a shorter text",
    "compression": "merged into summaries",
    "eviction": "made room for others",
    "rescan": "scanned again by newer rules",
    "summarizing": "merged into summaries",
}


def show(answer: Round, out: Out) -> None:
    if answer.busy:
        out.remark("another upkeep is at work; nothing to do")
        return
    for name, count in answer.done.items():
        out.line(f"{count:>6}  {_TOLD[name]}")
    for notice in answer.notices:
        out.line(notice, style="yellow")
    if answer.dry_run:
        out.remark("that is what a round would do; nothing was changed")
    elif not answer.done and not answer.notices:
        out.remark("all memories are as they should be")
