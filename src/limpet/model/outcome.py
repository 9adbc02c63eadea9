"""The outcomes of a draft: admitted, duplicate or rejected. They are return values, not exceptions."""

from __future__ import annotations

from limpet.lean.record import record
from limpet.model.memory import Memory, Origin


@record
class Admitted:
    """The outcome for a draft that became a memory.

    Each entry of `links` contains a relation and the id of an older memory on the same subject.
    """

    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    older: tuple[Memory, ...] = ()
    """Kept memories on the same subject. Only who understands both can tell whether the new memory replaces them."""


@record
class Duplicate:
    """The outcome for a draft whose text was already stored. `memory` is the older memory with updated metadata."""

    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    origin: Origin | None = None
    """Who said the text this time; None if nobody did, as in an import."""


@record
class Rejected:
    """The outcome for a draft that was not stored. `reason` tells why, and what to do."""

    reason: str
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Outcome = Admitted | Duplicate | Rejected
