"""Show the history of a memory."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_moment, short_id, show_headline, warning_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.blame import BlameAnswer


def show(blame: BlameAnswer, out: Output) -> None:
    from limpet.operations.blame import describe_change

    if blame.stored is not None:
        memory = blame.stored.memory
        show_headline(f"{warning_mark(blame.stored)}{memory.id}  ", memory, out, style="bold")
        if memory.source is not None:
            source = memory.source
            place = source.transcript or source.file or source.commit or "nowhere"
            out.line(f"from {place}{f' line {source.line}' if source.line else ''}")
    for change in blame.changes:
        extra = ", ".join(f"{name} {value}" for name, value in describe_change(change).items())
        about = "" if change.subject == blame.id else f" {short_id(change.subject)}"
        out.line(
            f"{format_moment(change.at)}  {change.kind:<9} by {change.actor} on {change.device}{about}"
            f"{f'  ({extra})' if extra else ''}"
        )
