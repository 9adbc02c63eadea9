"""Show memories in chronological order, one block per episode."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day, format_id, format_time_of_day, show_headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.timeline import TimelineAnswer


def show(timeline: TimelineAnswer, out: Output) -> None:
    if not timeline.episodes:
        out.remark_empty("no memories here")
    for number, episode in enumerate(timeline.episodes):
        if number:
            out.line()
        session = f"  session {episode.session}" if episode.session else ""
        out.line(f"{format_day(episode.started_at)}{session}", style="cyan")
        for stored in episode.memories:
            memory = stored.memory
            start = f"  {format_time_of_day(memory.created_at)}  {format_id(stored, out)}  {memory.label:<10}  "
            show_headline(start, memory, out)
    if timeline.has_more:
        out.hint("there are more: raise --limit, or use --around ID for what came before and after")
