"""Encode results as JSON objects: memories, pages of memories or search hits, and outcomes of drafts."""

from __future__ import annotations

from datetime import datetime

from limpet.model.codec import encode_memory, format_time
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.model.query import Hit, Page, Stored
from limpet.model.standing import priority, strength, trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def encode_stored(stored: Stored, *, now: datetime) -> dict[str, Any]:
    """Return a stored memory as a JSON object, with its status, its warnings and figures about its use."""
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


def encode_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a draft as a JSON object with `outcome`, `memory`, `redacted` and `notes`.

    If the draft was rejected, `memory` is null and `reason` says why.
    """
    answer: dict[str, Any] = {"redacted": list(outcome.redacted), "notes": list(outcome.notes)}
    match outcome:
        case Admitted():
            return {"outcome": "admitted", "memory": encode_memory(outcome.memory), **answer}
        case Duplicate():
            return {"outcome": "duplicate", "memory": encode_memory(outcome.memory), **answer}
        case Rejected():
            return {"outcome": "rejected", "memory": None, "reason": outcome.reason, **answer}


def encode_memories(page: Page[Stored], *, now: datetime) -> dict[str, Any]:
    """Return a page of memories as a JSON object."""
    memories = [encode_stored(stored, now=now) for stored in page.items]
    return {"memories": memories, "total": page.total, "offset": page.offset, "has_more": page.has_more}


def encode_hits(page: Page[Hit], *, now: datetime) -> dict[str, Any]:
    """Return a page of search hits as a JSON object. Each hit is a memory with its score."""
    hits = [
        {
            "memory": encode_stored(hit.stored, now=now),
            "score": round(hit.score, 4),
            "weak": hit.weak,
            "parts": {name: round(value, 4) for name, value in hit.parts.items()},
        }
        for hit in page.items
    ]
    return {"hits": hits, "total": page.total, "offset": page.offset, "has_more": page.has_more}
