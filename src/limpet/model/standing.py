"""The standing of a memory: its use so far, from which strength, priority and trust are computed.

The functions are pure, so that upkeep can run at any time and be repeated. A memory ages by the active days and the
sessions of its project, or of its agent if it belongs to no project. Only days with a session count, so a pause does
not age a memory. Days and sessions are read once for each project or agent, not for each memory, and only as far back
as they make a difference.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from datetime import datetime

from limpet.clock import from_ms, local_day, to_ms
from limpet.lean.record import record
from limpet.model.ids import lowest_after
from limpet.model.memory import Memory, Type
from limpet.model.reach import Feedback

FARTHEST = 100
"""How many of the latest active days and sessions are read. Earlier ones would make no difference to any strength."""


def owner_of(project: str | None, agent: str) -> str:
    """Return the owner whose active days count for a memory: its project, or the agent if it has no project."""
    return project or f"agent:{agent}"


@record
class Activity:
    """The active days and the sessions of a project, or of an agent across projects."""

    days: tuple[int, ...]
    """The days with a session, as local days since 1970, oldest first."""
    began: tuple[str, ...]
    """The id of the first change of each session, oldest session first."""
    sessions: dict[str, str]
    """The id of the first change of each session, by session id."""

    def count_days_since(self, moment_ms: int) -> int:
        """Return the number of active days after the day that contains `moment_ms`, a time in milliseconds."""
        return len(self.days) - bisect_right(self.days, local_day(moment_ms))

    def count_sessions_since(self, moment_ms: int, session: str | None) -> int:
        """Return the number of sessions that began after `session`.

        If that session is unknown, return the number of sessions that began after `moment_ms`, a time in milliseconds.
        """
        first = self.sessions.get(session or "")
        if first is not None:
            return len(self.began) - bisect_right(self.began, first)
        return len(self.began) - bisect_left(self.began, lowest_after(moment_ms)) if self.began else 0

    def count_sessions_since_use(self, created_ms: int, last_ms: int | None, session: str | None) -> int:
        """Return the number of sessions since a memory was last used, or since it was made.

        `session` is the session of its last use, or else the one in which it was made.
        """
        return self.count_sessions_since(max(created_ms, last_ms or 0), session)

    def standing_of(
        self, memory: Memory, *, count: int, last_ms: int | None, session: str | None, feedback: Feedback | None
    ) -> Standing:
        """Return the standing of a memory with `count` accesses, the last of them at `last_ms` in `session`.

        A memory that was never accessed has been idle since it was made.
        """
        created = to_ms(memory.created_at)
        age_days = self.count_days_since(created)
        used = max(created, last_ms or 0)
        return Standing(
            access_count=count,
            last_accessed=from_ms(last_ms) if last_ms else None,
            last_session=session,
            sessions_since=self.count_sessions_since_use(created, last_ms, session or memory.session),
            idle_days=age_days if used == created else self.count_days_since(used),
            age_days=age_days,
            feedback=feedback,
        )


@record
class Standing:
    """How often and when a memory was used, and the feedback on it."""

    access_count: int = 0
    last_accessed: datetime | None = None
    last_session: str | None = None
    sessions_since: int = 0
    feedback: Feedback | None = None
    """The latest feedback on the memory."""
    idle_days: int = 0
    """The number of active days (days on which the project had a session) since the last access."""
    age_days: int = 0
    """The number of active days since the memory was made."""


_LASTING = {Type.DECISION, Type.DISCOVERY}
_PRAISE = 10
"""The number of accesses to which the feedback "useful" is equivalent."""


def strength(memory: Memory, standing: Standing) -> float:
    """Return the strength of a memory, from 0 to 1: how well it is retained.

    It rises with use and falls with active days without use, down to a minimum that depends on the importance.
    """
    return _strength(memory, standing.access_count, standing.idle_days, standing.feedback)


def _strength(memory: Memory, accesses: int, idle_days: int, feedback: Feedback | None) -> float:
    loss = 0.05 * idle_days
    if memory.type in _LASTING:
        loss /= 2
    praise = _PRAISE if feedback is Feedback.USEFUL else 0
    value = memory.importance + 0.03 * math.log1p(accesses + praise) - loss
    return min(1.0, max(0.2 * memory.importance, value))


def priority(memory: Memory, standing: Standing) -> float:
    """Return the priority of a memory, from 0 to 1. If space is short, low-priority memories are shortened first."""
    return rate_priority(memory.difficulty, standing.sessions_since, standing.access_count)


def rate_priority(difficulty: float, sessions_since: int, accesses: int) -> float:
    """Return the priority of a memory with these values; see `Memory` and `Standing` for their meaning."""
    return 0.4 * difficulty + 0.3 / (1 + sessions_since) + 0.3 * min(1.0, accesses / 10)


def trust(memory: Memory, standing: Standing, *, now: datetime, warned: bool) -> float:
    """Return the trust in a memory, from 0 to 1.

    Use and age raise it up to the ceiling of its origin. A warning halves it.
    """
    return _trust(memory, standing.access_count, now=now, warned=warned)


def _trust(memory: Memory, accesses: int, *, now: datetime, warned: bool) -> float:
    ceiling = memory.effective_origin.ceiling
    days = max(0.0, (now - memory.created_at).total_seconds() / 86_400)
    earned = 1 - math.exp(-(accesses / 5 + days / 60))
    value = ceiling * (0.8 + 0.2 * earned)
    return value / 2 if warned else value


def rate_unused(memory: Memory, standing: Standing, *, now: datetime, warned: bool) -> tuple[float, float]:
    """Return the strength and the trust that a memory would have if it had never been used.

    Feedback on the memory still counts.
    """
    strength = _strength(memory, 0, standing.age_days, standing.feedback)
    return strength, _trust(memory, 0, now=now, warned=warned)
