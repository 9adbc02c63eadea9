"""What a job of upkeep is given, and what it answers with: changes that may be written in parts, each part whole.

A job reads the state and says what is to be done; it writes nothing. So the same job can be shown, asked about, done in
slices, or begun again after a kill, and what is left to do is always found in the state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from limpet.lean.record import field, record
from limpet.llm.extractive import Extractive
from limpet.llm.protocol import Roles
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.model.scope import Where
from limpet.settings import StoreSettings, UpkeepSettings
from limpet.store.protocol import Reading, Room, Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.admit import Admission

ACTOR = "limpet"
"""Who is named in the journal for what upkeep does."""
BATCH = 50

Resign = Callable[[Stored, Memory], dict[str, object]]
"""The signature of a memory whose shown side changes, as the payload of the change says it."""


@record
class Means:
    """What the jobs work with."""

    store: Store
    settings: UpkeepSettings
    caps: StoreSettings
    now: datetime
    door: Callable[[Where, Reading], Admission]
    judge: Callable[[Stored], Stored]
    resign: Resign
    roles: Roles = field(default_factory=Extractive)


@record
class Plan:
    """Changes to be written part by part; `retires` counts the memories of the room that they take out of sight."""

    parts: tuple[tuple[Change, ...], ...]
    room: Room | None = None
    retires: int = 0

    @classmethod
    def of(cls, changes: Sequence[Change], *, room: Room | None = None, retires: int = 0, batch: int = BATCH) -> Plan:
        """Changes that need not be written together."""
        parts = tuple(tuple(changes[at : at + batch]) for at in range(0, len(changes), batch))
        return cls(parts=parts, room=room, retires=retires)


Job = Callable[[Means], Iterator[Plan]]


def change(verb: ChangeKind, memory: Memory, payload: dict[str, object] | None = None) -> Change:
    return Change(
        kind=verb, subject=memory.id, root=memory.root, lineage=memory.lineage, actor=ACTOR, payload=payload or {}
    )
