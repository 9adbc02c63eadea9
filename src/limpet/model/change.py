"""The `Change` record of the journal, the kinds of changes, and the status of a memory.

The module `fold` computes the current state from changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.clock import from_ms
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, record
from limpet.model.ids import ms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.model.memory import Memory


class ChangeKind(StrEnum):
    """The kind of a journal record: what the change does."""

    ADMIT = "admit"
    CORRECT = "correct"
    IMPORT = "import"
    CONDENSE = "condense"
    SUPERSEDE = "supersede"
    FORGET = "forget"
    RESTORE = "restore"
    PURGE = "purge"
    CONFIRM = "confirm"
    KEEP = "keep"
    NOTE = "note"
    DROP = "drop"
    PIN = "pin"
    REFRESH = "refresh"
    DOUBT = "doubt"
    MOVE = "move"
    LINK = "link"
    SIGN = "sign"
    FACT = "fact"
    CLOSE = "close"
    PROJECT = "project"
    AGENT = "agent"
    SESSION = "session"
    DEVICE = "device"
    APP = "app"
    CONVERSATION = "conversation"
    FILE = "file"
    FEEDBACK = "feedback"
    ANTIGEN = "antigen"
    RECEIPT = "receipt"


INCIDENTS_PREFIX = "incidents:"
"""The prefix of a journal subject that groups the changes about a session's incidents, so they can be purged."""
CAPTURE = "capture"
"""The prefix of the actor in every change that was captured automatically, from hooks or recorded sessions."""


def is_capture(actor: str) -> bool:
    """Tell whether the actor of a change captures memories automatically, instead of storing them on purpose."""
    return actor.startswith(CAPTURE)


class Status(StrEnum):
    """Whether a memory is visible (live), or why it is hidden."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    PURGED = "purged"


@record
class Change:
    """A record in the journal. `id` and `device` are empty strings until the store has written it."""

    kind: str
    subject: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    root: str = ""
    lineage: tuple[str, ...] = ()
    actor: str = ""
    id: str = ""
    device: str = ""

    @property
    def at(self) -> datetime:
        """Return the time of the change, which is encoded in its id."""
        return from_ms(ms_of(self.id))


def change_memory(kind: ChangeKind, memory: Memory, payload: Mapping[str, Any] | None = None, *, actor: str) -> Change:
    """Return a journal record for a change to a memory.

    Its header names the memory's first version and all memories from which the memory descends.
    """
    return Change(
        kind=kind,
        subject=memory.id,
        root=memory.root,
        lineage=memory.lineage,
        actor=actor,
        payload=payload or {},
    )
