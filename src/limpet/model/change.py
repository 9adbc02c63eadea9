"""One journal record: a change, its kind, and the status that changes give to a memory.

The module `fold` computes the state from changes.
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
    """The effect of a journal record."""

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
"""The prefix of the subject, made for each session, from which all changes about its incidents descend."""
CAPTURE = "capture"
"""The beginning of the actor of a change that was captured from hooks or recorded sessions."""


def is_capture(actor: str) -> bool:
    """Tell whether the actor of a change is capture, rather than somebody who stored it on purpose."""
    return actor.startswith(CAPTURE)


class Status(StrEnum):
    """Whether a memory is visible, or why it is hidden."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    PURGED = "purged"


@record
class Change:
    """One journal record. `id` and `device` are empty until the store has written it."""

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
        """Return the time that is part of the id."""
        return from_ms(ms_of(self.id))


def change_memory(kind: ChangeKind, memory: Memory, payload: Mapping[str, Any] | None = None, *, actor: str) -> Change:
    """Return a change of one memory, with its line of corrections in the header."""
    return Change(
        kind=kind,
        subject=memory.id,
        root=memory.root,
        lineage=memory.lineage,
        actor=actor,
        payload=payload or {},
    )
