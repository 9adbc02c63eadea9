"""Restore what a memory had replaced, if this memory is hidden or erased.

If the memory is restored later, what it had replaced is hidden again.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.model.change import Change, ChangeKind, Status, change_memory
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.store.protocol import Reading


def find_replaced_alone(reading: Reading, gone: Iterable[Stored]) -> list[Memory]:
    """Return the memories that must be restored if the memories `gone`, which replaced them, are hidden.

    Nothing is restored for a memory in `gone` that was itself replaced. If a replaced memory is forgotten too, the one
    that it had replaced is returned instead. Duplicates, older versions and members of a summary do not count as
    replaced.
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
    """Return the changes that restore memories because what had replaced them is gone."""
    reason: dict[str, object] = {"reason": "what had replaced it is gone"}
    return [change_memory(ChangeKind.RESTORE, each, reason, actor=actor) for each in memories]


def encode_replaced(memories: Iterable[Memory]) -> dict[str, object]:
    """Return the payload entry of a change that hides a memory: the ids of the memories that are restored."""
    ids = [each.id for each in memories]
    return {"brought_back": ids} if ids else {}


def replace_again(reading: Reading, by: Memory, *, actor: str) -> list[Change]:
    """Return the changes that hide what was restored when the memory `by` was hidden.

    They are needed if that memory is restored.
    """
    hiding = (ChangeKind.FORGET, ChangeKind.DROP)
    changes = (each for each in reading.history(by.id) if each.subject == by.id and each.kind in hiding)
    last = max(changes, key=lambda each: each.id, default=None)
    ids = last.payload.get("brought_back") if last is not None else None
    found = [reading.get(str(each)) for each in ids] if isinstance(ids, list | tuple) else []
    payload: dict[str, object] = {"by": by.id, "reason": "it had replaced it before"}
    return [
        change_memory(ChangeKind.SUPERSEDE, each.memory, payload, actor=actor)
        for each in found
        if each is not None and each.status is Status.LIVE
    ]


def _name_versions(memory: Memory) -> tuple[str, ...]:
    return (memory.id, *memory.lineage) if memory.corrects else (memory.id,)


def _was_replaced(reading: Reading, name: str, by: str) -> bool:
    """Tell whether the memory `by` has superseded another one because of what it says."""
    # Only such a change has a reason in its payload.
    changes = (each for each in reading.history(name) if each.kind == ChangeKind.SUPERSEDE and each.subject == name)
    last = max(changes, key=lambda each: each.id, default=None)
    return last is not None and last.payload.get("by") == by and "reason" in last.payload
