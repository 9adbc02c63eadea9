"""Show what one run of upkeep has done."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.upkeep.round import Round

JOB_TEXTS = {
    "learning": "learnt from sessions",
    "curation": "kept by a model that has read their session",
    "repair": "merges completed or undone",
    "relocation": "captured for all projects, now in their own",
    "tiers": "noted or kept, as their use has shown",
    "deduplication": "duplicates merged",
    "expiry": "expired, now in the archive",
    "promotion": "promoted, as they proved useful",
    "decay": "faded to a shorter text",
    "compression": "merged into summaries",
    "eviction": "shortened to make room",
    "rescan": "scanned again with newer rules",
    "summarizing": "merged into summaries",
}


def show(answer: Round, out: Output) -> None:
    if answer.busy:
        out.remark("another upkeep is running; nothing was done")
        return
    for name, count in answer.done.items():
        out.line(f"{count:>6}  {JOB_TEXTS[name]}")
    for notice in answer.notices:
        out.line(notice, style="yellow")
    if answer.dry_run:
        out.remark("dry run: nothing was changed")
    elif not answer.done and not answer.notices:
        out.remark("nothing to do")
