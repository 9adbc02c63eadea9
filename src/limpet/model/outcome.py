"""What became of a draft. Expected outcomes are values: the caller matches on them."""

from __future__ import annotations

from limpet.lean.record import record
from limpet.model.memory import Memory


@record
class Admitted:
    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@record
class Duplicate:
    """The text was known already; `memory` is the older one, with its metadata refreshed."""

    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@record
class Rejected:
    reason: str
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Outcome = Admitted | Duplicate | Rejected
