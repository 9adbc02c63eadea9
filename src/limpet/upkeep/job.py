"""Define the plan that an upkeep job yields: changes in parts, each of which can be written separately.

A job itself writes nothing. So it can be previewed, confirmed by a person, or interrupted between two parts. When it
runs again, it finds the remaining work in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from limpet.doors.context import Context
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.recall.gate import RecallGate
from limpet.store.protocol import Room

ACTOR = "limpet"
"""The actor that the journal records for changes by upkeep."""
BATCH = 50
"""The number of changes in one part of a plan, if they need not be written together."""

SignAgain = Callable[[Stored, Memory], dict[str, object]]
"""A function that signs a memory whose shown text changes, and returns the signature as part of a change's payload.

The result is an empty dictionary if the memory cannot be signed.
"""


@record
class Plan:
    """The changes that a job makes, in parts that are written one after the other."""

    parts: tuple[tuple[Change, ...], ...]
    room: Room | None = None
    """The scope whose memories are changed; None if they belong to several scopes."""
    retires: int = 0
    """The number of active memories that the changes hide."""

    @classmethod
    def of(cls, changes: Sequence[Change], *, room: Room | None = None, retires: int = 0, batch: int = BATCH) -> Plan:
        """Create a plan from changes that need not be written together, in parts of `batch` changes."""
        parts = tuple(tuple(changes[at : at + batch]) for at in range(0, len(changes), batch))
        return cls(parts=parts, room=room, retires=retires)


Job = Callable[["Context"], Iterator[Plan]]
"""A function that reads the store and yields the plans of one upkeep job."""


def open_gate(context: Context) -> RecallGate:
    """Return the recall gate, which checks that no question loses its answer if memories are merged or replaced."""
    return RecallGate(
        context.home,
        settings=context.settings.recall,
        judge=context.judge,
        rehearse=context.store.rehearse,
        now=context.now(),
    )


def upkeep_change(kind: ChangeKind, memory: Memory, payload: dict[str, object] | None = None) -> Change:
    """Return a change to a memory that names upkeep as its actor."""
    return change_memory(kind, memory, payload, actor=ACTOR)
