"""Decide how a new memory affects older ones.

It can be linked to them, contradict or replace them, or forbid a fix that they describe.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.doors.forbidden import find_forbidden_fixes
from limpet.doors.similar import SimilarMemory, choose_older, is_public
from limpet.lean.record import field, mutable
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Memory
from limpet.store.protocol import Reading

DOUBTED = 0.6
"""The factor by which the confidence of a contradicted memory is multiplied.

It is also the maximum confidence of a new memory that contradicts one with a more trusted origin.
"""
_MOST_LINKS = 8


@mutable
class Effects:
    """The effects of a new memory: links to older ones, changes to these, and remarks for the user about both."""

    links: list[tuple[str, str]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_outranked: bool = False
    """Whether the new memory contradicts one with a more trusted origin. Its own confidence is then lowered."""
    older: tuple[Memory, ...] = ()
    """The older memories of which the caller must decide whether the new one replaces them."""


def find_effects(
    memory: Memory,
    similar: Sequence[SimilarMemory],
    *,
    token: str,
    reading: Reading,
    actor: str,
    sees_private: bool = True,
) -> Effects:
    """Return how a new memory affects similar memories, and the fixes that it forbids.

    A contradicted memory loses confidence, a replaced one is superseded, and a forbidden fix is hidden. If
    `sees_private` is false, only public fixes are hidden.
    """
    # The reasons in the changes do not quote the texts, because a purge of a memory would not find them.
    others = [each for each in similar if each.memory.content_hash != memory.content_hash]
    effects = Effects(older=() if memory.corrects else choose_older(others))
    for found in similar:
        other = found.memory
        if found.replacement is not None:
            payload: dict[str, object] = {"by": memory.id, "reason": found.replacement}
            effects.changes.append(change_memory(ChangeKind.SUPERSEDE, other, payload, actor=actor))
            effects.links.append(("replaces", other.id))
            undo = f"to undo that: limpet restore {other.id}"
            effects.notes.append(f"replaces {other.id} ({found.replacement}); {undo}")
        elif found.contradiction is not None:
            is_doubted = _add_contradiction(effects, memory, other, actor)
            # The reason quotes both texts, and the caller may not be allowed to read the other one.
            shown = f" ({found.contradiction})" if is_public(other) else ""
            way = f"; if that is outdated: limpet forget {other.id}" if is_doubted else ""
            effects.notes.append(f"contradicts {other.id}{shown}{way}")
        elif found.is_near:
            effects.links.append(("near", other.id))
            effects.notes.append(f"nearly the same as {other.id}")
    for fix in find_forbidden_fixes(memory, token, reading=reading):
        if not (sees_private or is_public(fix)):
            continue
        payload = {"by": memory.id, "reason": "a rule forbids it"}
        effects.changes.append(change_memory(ChangeKind.DROP, fix, payload, actor=actor))
        effects.notes.append(f"{fix.id} is no longer told, because it runs what this forbids")
    del effects.links[_MOST_LINKS:]
    return effects


def _add_contradiction(effects: Effects, memory: Memory, older: Memory, actor: str) -> bool:
    """Add a contradiction between the new memory and an older one to `effects`; tell whether the older one is doubted.

    This lowers the confidence in the older memory, or in the new one if the older one has a more trusted origin.
    """
    effects.links.append(("contradicts", older.id))
    if older.effective_origin.ceiling > memory.effective_origin.ceiling:
        effects.is_outranked = True
        return False
    payload = {"confidence": round(older.confidence * DOUBTED, 3), "by": memory.id}
    effects.changes.append(change_memory(ChangeKind.DOUBT, older, payload, actor=actor))
    return True
