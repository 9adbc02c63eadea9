"""Where events come from: the queue that hooks have filled, or the sessions that hosts have recorded (`recorded`).

Both yield the same entries and say how far they were read, so that one worker learns from either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from limpet import clock
from limpet.hosts.events import read_event
from limpet.lean.record import Protocol, record, replace
from limpet.learning.states import Cursor
from limpet.model.event import Reported, SessionEnded, ToolFinished
from limpet.queue import files as queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class Entry:
    """One entry of a source: what happened and where; one that reports nothing we know has no event."""

    event: Reported | None
    folder: str
    transcript: str | None = None


class Source(Protocol):
    """The entries of one session, from where it was left."""

    def __iter__(self) -> Iterator[Entry]: ...

    def earlier_entries(self) -> Iterator[Entry]:
        """Yield the entries before the place where this source began, for whoever lost what they led to."""

    @property
    def cursor(self) -> Cursor:
        """How far each file was read."""

    @property
    def is_between(self) -> bool:
        """Whether a reader could stop here and go on later."""

    @property
    def end(self) -> SessionEnded | None:
        """The end of the session, where reading the last entry shows that it is over."""


class QueueSource:
    """One file of the queue: what hooks have reported of a session on one day."""

    is_between = True
    end = None

    def __init__(self, home: str, name: str, start: int = 0) -> None:
        self._home, self._name = home, name
        self._start = self._place = start

    def __iter__(self) -> Iterator[Entry]:
        for place, found in queue.read(self._home, self._name, self._start):
            self._place = place
            yield decode_entry(found)

    def earlier_entries(self) -> Iterator[Entry]:
        for place, found in queue.read(self._home, self._name):
            if place > self._start:
                return
            yield decode_entry(found)

    @property
    def cursor(self) -> Cursor:
        return {self._name: self._place}


def decode_entry(found: Mapping[str, Any]) -> Entry:
    """Return a record of the queue as an entry."""
    payload, at = found.get("payload"), found.get("at")
    if not isinstance(payload, dict) or not isinstance(at, int):
        return Entry(event=None, folder="")
    folder, transcript = found.get("dir") or payload.get("cwd"), payload.get("transcript_path")
    event, hashes = read_event(payload, host=str(found.get("host", "")), at=clock.from_ms(at)), found.get("left_out")
    if isinstance(event, ToolFinished) and isinstance(hashes, list):
        event = replace(event, left_out=tuple(each for each in hashes if isinstance(each, str)))
    return Entry(
        event=event,
        folder=folder if isinstance(folder, str) else "",
        transcript=transcript if isinstance(transcript, str) else None,
    )
