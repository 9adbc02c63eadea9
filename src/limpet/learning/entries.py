"""The entries of the queue as events, with where each happened."""

from __future__ import annotations

from collections.abc import Iterator

from limpet import clock
from limpet.hosts.events import read_event
from limpet.lean.record import record
from limpet.model.event import Reported
from limpet.queue import files as queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class Seen:
    """One entry of the queue, read."""

    place: int
    folder: str
    session: str
    event: Reported | None
    transcript: str | None


def entries(home: str, name: str, start: int) -> Iterator[Seen]:
    """What a file of the queue tells from a place on; an entry that reports nothing we know has no event."""
    for place, told in queue.read(home, name, start):
        yield _seen(place, told)


def _seen(place: int, told: dict[str, Any]) -> Seen:
    payload, at = told.get("payload"), told.get("at")
    if not isinstance(payload, dict) or not isinstance(at, int):
        return Seen(place=place, folder="", session="", event=None, transcript=None)
    folder, transcript = told.get("dir") or payload.get("cwd"), payload.get("transcript_path")
    return Seen(
        place=place,
        folder=folder if isinstance(folder, str) else "",
        session=str(payload.get("session_id", "")),
        event=read_event(payload, host=str(told.get("host", "")), at=clock.from_ms(at)),
        transcript=transcript if isinstance(transcript, str) else None,
    )
