"""Replace the memories that a caller names, and restore what a memory had replaced if this memory is hidden or erased.

If the memory is restored later, what it had replaced is hidden again.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.doors.origin import refuse_replacement
from limpet.doors.similar import is_public
from limpet.model.change import Change, ChangeKind, Status, change_memory
from limpet.model.memory import Memory, Origin, Phase, Tier
from limpet.model.outcome import Admitted, Duplicate
from limpet.model.query import Stored
from limpet.model.scope import token_of
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


def replace_stated(
    outcome: Admitted | Duplicate, older: Iterable[Memory], *, actor: str
) -> tuple[list[Change], list[str]]:
    """Return the changes by which a memory replaces older ones, as the caller has said, and remarks about them."""
    memory = outcome.memory
    # An agent that repeats the user's words does not speak for the user.
    again = outcome.origin if isinstance(outcome, Duplicate) else None
    speaker = Origin.lowest((memory.origin, again or memory.origin))
    changes, notes = [], []
    for each in older:
        if each.id == memory.id:
            continue
        refused = refuse_replacement(memory, each, speaker=speaker)
        if refused:
            notes.append(f"{each.id} stays, because it {refused}; the user can run: limpet forget {each.id}")
            continue
        payload: dict[str, object] = {"by": memory.id, "reason": "said to be replaced"}
        changes.append(change_memory(ChangeKind.SUPERSEDE, each, payload, actor=actor))
        link: dict[str, object] = {"relation": "replaces", "to": each.id}
        changes.append(change_memory(ChangeKind.LINK, memory, link, actor=actor))
        is_of_user = each.effective_origin is Origin.USER and speaker is not Origin.USER
        whose = ", which was the user's own, so tell them" if is_of_user else ""
        notes.append(f"replaces {each.id}{whose}; to undo that: limpet restore {each.id}")
    return changes, notes


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


def supersede_same_text(
    reading: Reading,
    memory: Memory,
    *,
    now: datetime,
    actor: str,
    replacing: str | None = None,
    sees_private: bool = True,
) -> tuple[list[Change], str]:
    """Return the changes that leave one of a memory and those that say the same, and a clause for the user about them.

    The memory stays, unless one of the others is trusted more, is more private or was kept on purpose. `replacing` is
    the id of the memory that this one corrects.
    """
    if memory.superseded_by is not None:
        return [], ""
    same = [
        each.memory
        for each in reading.same_text(token_of(memory), memory.content_hash)
        if each.status is Status.LIVE
        and each.memory.id not in (memory.id, replacing)
        and each.memory.phase < Phase.ARCHIVED
        and not each.memory.is_expired(now)
        and (sees_private or is_public(each.memory))
    ]
    staying = next((each for each in same if _counts_more(each, memory)), None)
    if staying is not None:
        change = change_memory(ChangeKind.SUPERSEDE, memory, {"by": staying.id}, actor=actor)
        return [change], f"; {staying.id} says exactly the same and stays in its place"
    changes = [change_memory(ChangeKind.SUPERSEDE, each, {"by": memory.id}, actor=actor) for each in same]
    return changes, "".join(f"; {each.id} says exactly the same and is superseded by it" for each in same)


def _counts_more(one: Memory, other: Memory) -> bool:
    """Tell whether a memory is trusted more than another one, or is more private, or is kept while the other is not."""
    return (
        one.effective_origin.ceiling > other.effective_origin.ceiling
        or one.sensitivity.level > other.sensitivity.level
        or (one.tier, other.tier) == (Tier.KEPT, Tier.NOTED)
        or one.pinned > other.pinned
    )


def _name_versions(memory: Memory) -> tuple[str, ...]:
    return (memory.id, *memory.lineage) if memory.corrects else (memory.id,)


def _was_replaced(reading: Reading, name: str, by: str) -> bool:
    """Tell whether the memory `by` has superseded another one because of what it says."""
    # Only such a change has a reason in its payload.
    changes = (each for each in reading.history(name) if each.kind == ChangeKind.SUPERSEDE and each.subject == name)
    last = max(changes, key=lambda each: each.id, default=None)
    return last is not None and last.payload.get("by") == by and "reason" in last.payload
