"""The active days and the sessions of a project, or of an agent across its projects, by which memories age.

A pause costs nothing: only the days with a session, and the sessions that began, since a memory was last used count.
Both are read once for each owner, not for each memory, and only as far back as makes a difference.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from limpet.clock import DAY_MS, to_ms
from limpet.lean.record import record
from limpet.model.ids import lowest_after
from limpet.model.memory import Memory

FARTHEST = 100
"""Days and sessions farther back make no difference: every strength has reached its floor by then."""


def owner_of(project: str | None, agent: str) -> str:
    """Return whose days count for a memory: its project's, or the agent's if it has no project."""
    return project or f"agent:{agent}"


@record
class Activity:
    """When an owner's memories were worked with."""

    days: tuple[int, ...]
    """Active days as days since 1970, oldest first."""
    began: tuple[str, ...]
    """The id of the first change of each session, oldest first."""
    sessions: dict[str, str]
    """The same by session."""

    def idle_days(self, memory: Memory, last_ms: int | None) -> int:
        """Return the number of active days after the day on which a memory was last used, or made."""
        used = max(to_ms(memory.created_at), last_ms or 0) // DAY_MS
        return len(self.days) - bisect_right(self.days, used)

    def sessions_since(self, memory: Memory, last_ms: int | None, session: str | None) -> int:
        """Return the number of sessions after the one of its last use; by the clock if that session is unknown."""
        first = self.sessions.get(session or memory.session or "")
        if first is not None:
            return len(self.began) - bisect_right(self.began, first)
        if not self.began:
            return 0
        used = max(to_ms(memory.created_at), last_ms or 0)
        return len(self.began) - bisect_left(self.began, lowest_after(used))
