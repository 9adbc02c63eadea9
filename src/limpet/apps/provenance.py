"""Find the conversations and memories that a memory of an app was made from, and the memories made from it."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.model.memory import Memory
from limpet.model.query import NO_LIMIT, Stored
from limpet.store.protocol import Reading


def conversations_of(reading: Reading, app: str, memory: Memory) -> tuple[str, ...]:
    """Return the ids of the conversations that a memory, or any memory that was merged into it, came from."""
    sources = (reading.get(id) for id in memory.lineage)
    memories = (memory, *(each.memory for each in sources if each is not None and each.memory.app == app))
    ids = [each.conversation for each in memories if each.conversation]
    for each in memories:
        ids += [found.id for found in reading.conversations(app, limit=NO_LIMIT, memory=each.id).items]
    return tuple(dict.fromkeys(ids))


def add_relatives(reading: Reading, app: str, named: Sequence[Stored]) -> list[Stored]:
    """Return the given memories, the memories that they were made from, and the memories that were made from them.

    They have text in common, so a purge must erase all of them.
    """
    found: dict[str, Stored] = {}
    waiting = list(named)
    while waiting:
        stored = waiting.pop()
        if stored.memory.id in found or stored.memory.app != app:
            continue
        found[stored.memory.id] = stored
        names = (*stored.memory.lineage, *reading.descendants(stored.memory.id))
        waiting += [each for each in map(reading.get, names) if each is not None]
    return list(found.values())
