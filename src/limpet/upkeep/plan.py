"""The plan that a job of upkeep returns: changes in parts, each of which leaves a valid state.

A job reads the state and returns what has to be done; it writes nothing. So the same job can be previewed, confirmed by
a person, done in slices, or started again after a kill: the remaining work is always derived from the state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.recall.gate import RecallGate
from limpet.store.protocol import Room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

ACTOR = "limpet"
"""The actor of upkeep's changes in the journal."""
BATCH = 50
"""The number of changes in one part of a plan, if they need not be written together."""

SignAgain = Callable[[Stored, Memory], dict[str, object]]
"""Return a payload entry with the new signature of a memory whose shown text changes; empty if it cannot be signed."""


@record
class Plan:
    """Changes to write part by part; `retires` is the number of memories of the room that they hide."""

    parts: tuple[tuple[Change, ...], ...]
    room: Room | None = None
    retires: int = 0

    @classmethod
    def of(cls, changes: Sequence[Change], *, room: Room | None = None, retires: int = 0, batch: int = BATCH) -> Plan:
        """Return a plan for changes that need not be written together."""
        parts = tuple(tuple(changes[at : at + batch]) for at in range(0, len(changes), batch))
        return cls(parts=parts, room=room, retires=retires)


Job = Callable[["Context"], Iterator[Plan]]


def open_gate(context: Context) -> RecallGate:
    """Return the recall gate of a job."""
    return RecallGate(
        context.home,
        settings=context.settings.recall,
        judge=context.judge,
        rehearse=context.store.rehearse,
        now=context.now(),
    )


def upkeep_change(kind: ChangeKind, memory: Memory, payload: dict[str, object] | None = None) -> Change:
    """Return a change of a memory with upkeep as its actor."""
    return change_memory(kind, memory, payload, actor=ACTOR)
