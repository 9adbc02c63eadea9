"""Decide what a new memory does to older ones: it links, doubts or replaces them, or ends a fix that it forbids."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.doors.forbidden import find_forbidden_fixes
from limpet.doors.similar import SimilarMemory, is_public
from limpet.lean.record import field, mutable
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Memory
from limpet.store.protocol import Reading

DOUBTED = 0.6
"""The share of its confidence that a contradicted memory keeps, and the highest confidence of an outranked one."""
_MOST_LINKS = 8


@mutable
class Effects:
    """The links of a new memory, the changes of older ones, and a note about each."""

    links: list[tuple[str, str]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_outranked: bool = False
    """Whether the memory contradicts one whose source ranks higher; then the new one is doubted."""


def find_effects(
    memory: Memory,
    similar: Sequence[SimilarMemory],
    *,
    token: str,
    reading: Reading,
    actor: str,
    sees_private: bool = True,
) -> Effects:
    """Return what a new memory does to the memories that are similar to it, and to fixes that it forbids.

    A contradicted memory loses confidence, a replaced one is superseded, and a forbidden fix is hidden. The reasons are
    written without words of the texts, so that a purge finds nothing here. Without `sees_private`, fixes that are not
    public are left alone.
    """
    effects = Effects()
    for found in similar:
        other = found.memory
        if found.replacement is not None:
            payload: dict[str, object] = {"by": memory.id, "reason": found.replacement}
            effects.changes.append(change_memory(ChangeKind.SUPERSEDE, other, payload, actor=actor))
            effects.links.append(("replaces", other.id))
            undo = f"to undo that: limpet restore {other.id}"
            effects.notes.append(f"replaces {other.id} ({found.replacement}); {undo}")
        elif found.contradiction is not None:
            _doubt(effects, memory, other, actor)
            # The reason names words of both texts, and the caller may not be allowed to read the other one.
            shown = f" ({found.contradiction})" if is_public(other) else ""
            effects.notes.append(f"contradicts {other.id}{shown}")
        else:
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


def _doubt(effects: Effects, memory: Memory, older: Memory, actor: str) -> None:
    """Lower the confidence in the older memory, unless its source ranks higher."""
    effects.links.append(("contradicts", older.id))
    if older.effective_origin.ceiling > memory.effective_origin.ceiling:
        effects.is_outranked = True
        return
    payload = {"confidence": round(older.confidence * DOUBTED, 3), "by": memory.id}
    effects.changes.append(change_memory(ChangeKind.DOUBT, older, payload, actor=actor))
