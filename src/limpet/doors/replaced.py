"""Bring back what a memory had replaced, when that memory itself is hidden or erased."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.model.change import Change, ChangeKind, Status, change_memory
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.store.protocol import Reading


def find_replaced_alone(reading: Reading, gone: Iterable[Stored]) -> list[Memory]:
    """Return the memories that nothing but some memories, which are about to go, replaces.

    A memory that was itself replaced before it goes brings nothing back. If the replaced one is forgotten too, what
    that one had replaced comes back. Duplicates, versions and members of a summary are not replaced in this sense.
    """
    leaving = list(gone)
    seen = {stored.memory.id for stored in leaving}
    waiting = [name for stored in leaving if stored.status is Status.LIVE for name in _name_versions(stored.memory)]
    found = []
    while waiting:
        by = waiting.pop()
        for older in reading.superseded_by(by):
            if older.memory.id in seen or not _was_replaced(reading, older.memory.id, by):
                continue
            seen.add(older.memory.id)
            if older.status is Status.SUPERSEDED:
                found.append(older.memory)
            else:
                waiting += _name_versions(older.memory)
    return found


def restore_replaced(memories: Iterable[Memory], *, actor: str) -> list[Change]:
    """Return the changes that bring back memories, because what had replaced them is gone."""
    reason: dict[str, object] = {"reason": "what had replaced it is gone"}
    return [change_memory(ChangeKind.RESTORE, each, reason, actor=actor) for each in memories]


def _name_versions(memory: Memory) -> tuple[str, ...]:
    return (memory.id, *memory.lineage) if memory.corrects else (memory.id,)


def _was_replaced(reading: Reading, name: str, by: str) -> bool:
    """Tell whether the other memory took the place of this one by what it says; only such a change has a reason."""
    changes = (each for each in reading.history(name) if each.kind == ChangeKind.SUPERSEDE and each.subject == name)
    last = max(changes, key=lambda each: each.id, default=None)
    return last is not None and last.payload.get("by") == by and "reason" in last.payload
