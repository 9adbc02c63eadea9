"""The outcome of a draft: expected outcomes are values that the caller matches on."""

from __future__ import annotations

from limpet.lean.record import record
from limpet.model.memory import Memory


@record
class Admitted:
    """The draft became a memory; `links` are the relation and the id of each older memory on the same subject."""

    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@record
class Duplicate:
    """The same text was stored before; `memory` is the older memory, with its metadata refreshed."""

    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@record
class Rejected:
    """The draft was not stored; `reason` says why and what to do."""

    reason: str
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Outcome = Admitted | Duplicate | Rejected
