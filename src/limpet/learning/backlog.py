"""Tell whether the queue holds anything to learn from; asked often, so it loads nothing of what learning needs."""

from __future__ import annotations

from limpet.hosts.payload import text_of
from limpet.queue import files as queue
from limpet.store.protocol import Reading


def has_backlog(home: str, reading: Reading) -> bool:
    """Tell whether any file of the queue has events that were not learnt from."""
    places = ((name, *position(home, name, reading)) for name in queue.names(home))
    return any(session and has_more(home, name, place) for name, session, place in places)


def has_more(home: str, name: str, place: int) -> bool:
    """Tell whether anything can be read from a place on: a torn last line, or one that a purge blanked, is no work."""
    return place < queue.size_of(home, name) and next(queue.read(home, name, place), None) is not None


def position(home: str, name: str, reading: Reading) -> tuple[str, int]:
    """Return the session that a file of the queue is of, and how far the journal says that it was used."""
    first = next(queue.read(home, name), None)
    if first is None:
        return "", 0
    payload = first[1].get("payload")
    # Read as an event's session is read, because an id can hold half a character, which no store can look for.
    session = text_of(payload.get("session_id")).strip() if isinstance(payload, dict) else ""
    known = reading.session(session) if session else None
    place = known.taken.get(name, 0) if known else 0
    # A file that is shorter than its used part is another one: the first was removed or emptied.
    return session, (place if place <= queue.size_of(home, name) else 0)
