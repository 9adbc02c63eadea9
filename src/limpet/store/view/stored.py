"""The one place where a row of the index becomes a memory with its standing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import apsw

from limpet.clock import from_ms
from limpet.model.activity import Activity
from limpet.model.change import Status
from limpet.model.codec import decode_memory
from limpet.model.query import Stored
from limpet.model.reach import Feedback
from limpet.model.standing import Standing
from limpet.store.view import activity
from limpet.store.view.search import Matching

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STORED = """
    m.body, m.status, m.feedback, m.signs, a.count, a.last, a.session,
    (SELECT group_concat(reason, char(31)) FROM suspicion s WHERE s.subject = m.id)
"""
FROM = "FROM memory m LEFT JOIN access a ON a.memory = m.id"
BY_KEY = "FROM memory m NOT INDEXED LEFT JOIN access a ON a.memory = m.id"
"""For those who name the keys: SQLite would rather read the whole scope by its index to look for them there."""


class Storing(Matching):
    def __init__(self, connection: apsw.Connection, *, vectors: Callable[[], bool]) -> None:
        super().__init__(connection, vectors=vectors)
        self._activities: dict[tuple[str | None, str], Activity] = {}

    def _stored(self, row: Sequence[Any]) -> Stored:
        body, status, feedback, signs, count, last, session, suspicions = row
        memory = decode_memory(json.loads(body))
        worked = self.activity(memory.project, memory.agent)
        return Stored(
            memory=memory,
            status=Status(status),
            standing=Standing(
                access_count=count or 0,
                last_accessed=from_ms(last) if last else None,
                last_session=session,
                sessions_since=worked.sessions_since(memory, last, session),
                idle_days=worked.idle_days(memory, last),
                feedback=Feedback(feedback) if feedback else None,
            ),
            suspicions=tuple(suspicions.split("\x1f")) if suspicions else (),
            signs=None if signs is None else tuple(filter(None, signs.split("\x1f"))),
        )

    def activity(self, project: str | None, agent: str) -> Activity:
        """Read once: all memories of a page mostly have one owner."""
        known = self._activities.get((project, agent))
        if known is None:
            known = self._activities[project, agent] = activity.read(self._run, project, agent)
        return known
