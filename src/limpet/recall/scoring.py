"""Score a hit: match, recency, strength and trust, each between 0 and 1, weighted by the settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.model.query import Stored
from limpet.model.reach import Feedback
from limpet.model.standing import strength, trust
from limpet.settings import RecallSettings

_PENALTY = {Feedback.WRONG: 0.7, Feedback.STALE: 0.4}
"""The share of its score that a memory loses by such feedback."""


def score_parts(stored: Stored, *, match: float, now: datetime, settings: RecallSettings) -> dict[str, float]:
    """Return the parts of a score by name."""
    memory = stored.memory
    days = max(0.0, (now - memory.updated_at).total_seconds() / 86_400)
    parts = {
        "match": match,
        "recency": 0.5 ** (days / settings.half_life_days),
        "strength": strength(memory, stored.standing),
        "trust": trust(memory, stored.standing, now=now, warned=stored.warned),
    }
    if stored.standing.feedback in _PENALTY:
        parts["doubt"] = _PENALTY[stored.standing.feedback]
    return parts


def total_score(parts: Mapping[str, float], settings: RecallSettings) -> float:
    """Return the weighted sum of the parts, less the penalty for bad feedback."""
    score = (
        settings.match_weight * parts["match"]
        + settings.recency_weight * parts["recency"]
        + settings.strength_weight * parts["strength"]
        + settings.trust_weight * parts["trust"]
    )
    return score * (1 - parts.get("doubt", 0.0))
