"""Whether there is anything to learn from; asked often, so it loads nothing of what learning needs."""

from __future__ import annotations

from limpet.store import queue
from limpet.store.protocol import Reading


def is_waiting(home: str, reading: Reading) -> bool:
    return any(used(home, name, reading)[1] < queue.size_of(home, name) for name in queue.names(home))


def used(home: str, name: str, reading: Reading) -> tuple[str, int]:
    """The session that a file of the queue is of, and how far the journal says it was used."""
    first = next(iter(queue.read(home, name)), None)
    if first is None:
        return "", 0
    payload = first[1].get("payload")
    session = str(payload.get("session_id", "")) if isinstance(payload, dict) else ""
    known = reading.session(session) if session else None
    return session, (known.taken.get(name, 0) if known else 0)
