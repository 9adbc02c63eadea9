"""When a project, or an agent across its projects, was worked with: the days and sessions by which memories age.

Time as such wears nothing out: a pause costs nothing. What counts are the days on which there was a session, and the
sessions that began, since a memory was last used. Both are read once for each owner, not for each memory, and only as
far back as makes a difference.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from limpet.clock import DAY_MS, to_ms
from limpet.lean.record import record
from limpet.model.ids import lowest_after
from limpet.model.memory import Memory

FARTHEST = 100
"""Days and sessions farther back change nothing: every strength has reached its floor by then."""


def owner_of(project: str | None, agent: str) -> str:
    """Whose days count for a memory: its project's, or the agent's where it goes with the agent."""
    return project or f"agent:{agent}"


@record
class Activity:
    days: tuple[int, ...]
    """Active days as days since 1970, the oldest first."""
    began: tuple[str, ...]
    """The first change of each session, the oldest first."""
    sessions: dict[str, str]
    """The same by session."""

    def idle_days(self, memory: Memory, last_ms: int | None) -> int:
        """Active days after the one on which it was last used, or made."""
        used = max(to_ms(memory.created_at), last_ms or 0) // DAY_MS
        return len(self.days) - bisect_right(self.days, used)

    def sessions_since(self, memory: Memory, last_ms: int | None, session: str | None) -> int:
        """Sessions that began after the one in which it was last used; by the clock where that one is not known."""
        first = self.sessions.get(session or memory.session or "")
        if first is not None:
            return len(self.began) - bisect_right(self.began, first)
        if not self.began:
            return 0
        used = max(to_ms(memory.created_at), last_ms or 0)
        return len(self.began) - bisect_left(self.began, lowest_after(used))
