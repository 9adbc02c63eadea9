"""The standing of a memory: strength, priority and trust, derived from its accesses and its age, and never signed.

Each is a pure function, so that computing it again changes nothing and upkeep can run at any time.
"""

from __future__ import annotations

import math
from datetime import datetime

from limpet.lean.record import record
from limpet.model.memory import Memory, Origin, Type
from limpet.model.reach import Feedback


@record
class Standing:
    """How a memory has been used so far."""

    access_count: int = 0
    last_accessed: datetime | None = None
    last_session: str | None = None
    sessions_since: int = 0
    feedback: Feedback | None = None
    """The latest feedback on it."""
    idle_days: int = 0
    """Active days (days on which the project had a session) since the last access."""


_LASTING = {Type.DECISION, Type.DISCOVERY}
_PRAISE = 10
"""The number of accesses that being called useful is worth."""


def strength(memory: Memory, standing: Standing) -> float:
    """Return how well a memory is retained: it rises with use, falls with active days without use, and has a floor."""
    loss = 0.05 * standing.idle_days
    if memory.type in _LASTING:
        loss /= 2
    praise = _PRAISE if standing.feedback is Feedback.USEFUL else 0
    value = memory.importance + 0.03 * math.log1p(standing.access_count + praise) - loss
    return min(1.0, max(0.2 * memory.importance, value))


def priority(memory: Memory, standing: Standing) -> float:
    """Return how long a memory is kept when space is short; the lowest priority goes first."""
    return 0.4 * memory.difficulty + 0.3 / (1 + standing.sessions_since) + 0.3 * min(1.0, standing.access_count / 10)


def trust(memory: Memory, standing: Standing, *, now: datetime, warned: bool) -> float:
    """Return how far a memory is trusted: up to the ceiling of its origin by use and age, halved by a warning."""
    ceiling = Origin.USER.ceiling if memory.confirmed else memory.origin.ceiling
    days = max(0.0, (now - memory.created_at).total_seconds() / 86_400)
    earned = 1 - math.exp(-(standing.access_count / 5 + days / 60))
    value = ceiling * (0.8 + 0.2 * earned)
    return value / 2 if warned else value
