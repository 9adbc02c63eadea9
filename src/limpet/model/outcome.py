"""What became of a draft. Expected outcomes are values: the caller matches on them."""

from __future__ import annotations

from dataclasses import dataclass

from limpet.model.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """The text was known already; `memory` is the older one, with its metadata refreshed."""

    memory: Memory
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    reason: str
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


Outcome = Admitted | Duplicate | Rejected
