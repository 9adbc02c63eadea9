"""Encode the answers of verbs as JSON: one encoder for all records.

A record becomes an object with its fields, in their order. Only `Verb.shape` and the few types of `_ENCODERS` differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from limpet.lean.enumeration import Enum
from limpet.lean.record import fields, pick
from limpet.model.codec import encode_memory, format_time
from limpet.model.memory import Memory
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.model.query import Hit, Stored
from limpet.model.standing import priority, strength, trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.operations.catalogue import Verb


def encode_answer(verb: Verb, answer: Any, now: datetime) -> dict[str, Any]:
    """Return the answer of a verb as a JSON object; `now` is the time for which the trust in a memory is computed."""
    encoded: dict[str, Any] = encode(verb.shape(answer), now)
    return encoded


def encode(value: Any, now: datetime) -> Any:
    """Return a value as JSON: records, enums, times and collections of them; other values stay as they are."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {name: encode(each, now) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [encode(each, now) for each in value]
    if isinstance(value, datetime):
        return format_time(value)
    special = _ENCODERS.get(type(value))
    if special is not None:
        return special(value, now)
    return {each.name: encode(getattr(value, each.name), now) for each in fields(value)}


def _encode_stored(stored: Stored, now: datetime) -> dict[str, Any]:
    """Return a stored memory with its status, its warnings and figures about its use."""
    memory, standing = stored.memory, stored.standing
    return {
        **encode_memory(memory),
        "status": stored.status.value,
        "warnings": list(stored.warnings),
        "strength": round(strength(memory, standing), 4),
        "priority": round(priority(memory, standing), 4),
        "trust": round(trust(memory, standing, now=now, warned=stored.warned), 4),
        "last_accessed": format_time(standing.last_accessed) if standing.last_accessed else None,
        "access_count": standing.access_count,
        "last_session": standing.last_session,
    }


def _encode_hit(hit: Hit, now: datetime) -> dict[str, Any]:
    return {
        "memory": _encode_stored(hit.stored, now),
        "score": round(hit.score, 4),
        "weak": hit.weak,
        "parts": {name: round(value, 4) for name, value in hit.parts.items()},
    }


def _encode_outcome(outcome: Outcome, now: datetime) -> dict[str, Any]:
    """Return the outcome of a draft; if it was rejected, `memory` is null and `reason` says why."""
    match outcome:
        case Rejected():
            answer: dict[str, Any] = {"outcome": "rejected", "memory": None, "reason": outcome.reason}
        case _:
            kind = "admitted" if isinstance(outcome, Admitted) else "duplicate"
            answer = {"outcome": kind, "memory": encode_memory(outcome.memory)}
    older = [pick(each, "id", "content") for each in outcome.older] if isinstance(outcome, Admitted) else []
    return {**answer, "redacted": list(outcome.redacted), "notes": list(outcome.notes), "older": older}


_ENCODERS: Mapping[type, Callable[[Any, datetime], dict[str, Any]]] = {
    Memory: lambda memory, now: encode_memory(memory),
    Stored: _encode_stored,
    Hit: _encode_hit,
    **dict.fromkeys((Admitted, Duplicate, Rejected), _encode_outcome),
}
