"""Supersede duplicates, which are created if two processes admit the same text at the same time."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Phase
from limpet.model.scope import token_of
from limpet.store.protocol import Reading
from limpet.upkeep.job import Plan, upkeep_change


def supersede_twins(reading: Reading) -> list[Change]:
    """Return the changes that leave one memory of those in a scope that have the same text.

    The most trusted one stays, and of those the earliest.
    """
    return [change for _, change in _supersede_twins(reading)]


def _supersede_twins(reading: Reading) -> list[tuple[str, Change]]:
    """Return the changes of `supersede_twins`, each with the name of its scope."""
    found: dict[str, tuple[str, Change]] = {}
    for stored in reading.twins():
        token = token_of(stored.memory)
        same = reading.same_text(token, stored.memory.content_hash)
        shown = [each.memory for each in same if each.status is Status.LIVE and each.memory.phase < Phase.ARCHIVED]
        # One that is archived gives way to the others.
        staying = max(shown or [stored.memory], key=lambda each: each.effective_origin.ceiling)
        for memory in (*shown, stored.memory):
            if memory.id != staying.id:
                found[memory.id] = token, upkeep_change(ChangeKind.SUPERSEDE, memory, {"by": staying.id})
    return list(found.values())


def deduplicate(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope that has duplicates."""
    reading = context.store.reading()
    changes = _supersede_twins(reading)
    for room in reading.rooms():
        own = [change for token, change in changes if token == room.token]
        if own:
            yield Plan.of(own, room=room, retires=len(own))
