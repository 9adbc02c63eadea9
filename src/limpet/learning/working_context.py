"""Describe what a session was working on, from its events in the queue.

The description is used when the host summarises the conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from limpet import clock
from limpet.capture.speech.spans import split_message
from limpet.inject.working_context import gather_working_context, render_working_context
from limpet.lean.record import replace
from limpet.learning.sources import decode_entry
from limpet.model.event import PromptSubmitted, Reported
from limpet.queue import files as queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

_TAIL = 256 * 1024


def describe_working_context(context: Context) -> str:
    """Return a description of what the session was working on, or an empty string if nothing is known."""
    if not context.session:
        return ""
    home, now = context.home, clock.to_ms(context.now())
    names = dict.fromkeys(queue.name_of(context.session, ms) for ms in (now - clock.DAY_MS, now))
    records = (each for name in names for _, each in queue.read(home, name, max(0, queue.size_of(home, name) - _TAIL)))
    events = (decode_entry(each).event for each in records)
    return render_working_context(gather_working_context(_keep_typed(events)))


def _keep_typed(events: Iterable[Reported | None]) -> Iterator[Reported]:
    """Yield the events, with pasted text removed from prompts. Prompts without typed text are skipped."""
    for event in events:
        if isinstance(event, PromptSubmitted):
            typed = split_message(event.text).typed
            if typed:
                yield replace(event, text=typed)
        elif event is not None:
            yield event
