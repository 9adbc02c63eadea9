"""Where questions are put: a view at one moment, and what need not be asked of it twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.model.activity import FARTHEST, Activity, owner_of
from limpet.model.query import Stored
from limpet.store.view.memory_row import decode_row
from limpet.store.view.open import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Source:
    """A view for the length of one reading; the functions of `search`, `browse`, `due` and others ask it."""

    def __init__(self, view: View) -> None:
        self.run = view.run
        self._view = view
        self._activities: dict[tuple[str | None, str], Activity] = {}

    @property
    def has_vectors(self) -> bool:
        return self._view.has_vectors

    def activity(self, project: str | None, agent: str) -> Activity:
        """Return when an owner was worked with; read once, as all memories of a page mostly have one owner."""
        known = self._activities.get((project, agent))
        if known is None:
            known = self._activities[project, agent] = _read_activity(self, project, agent)
        return known

    def decode(self, row: Sequence[Any]) -> Stored:
        """Return the memory of a row."""
        return decode_row(row, self.activity)

    def decode_all(self, rows: Iterable[Sequence[Any]]) -> tuple[Stored, ...]:
        """Return the memories of some rows."""
        return tuple(decode_row(row, self.activity) for row in rows)


def _read_activity(source: Source, project: str | None, agent: str) -> Activity:
    days = source.run(
        "SELECT DISTINCT day FROM active_day WHERE owner = ? ORDER BY day DESC LIMIT ?",
        (owner_of(project, agent), FARTHEST),
    ).fetchall()
    column, value = ("agent", agent) if project is None else ("project", project)
    rows = source.run(
        f"SELECT id, first FROM session WHERE {column} = ? ORDER BY first DESC LIMIT ?", (value, FARTHEST)
    )
    sessions = {str(name): str(first) for name, first in rows}
    return Activity(
        days=tuple(sorted(int(row[0] or 0) for row in days)),
        began=tuple(sorted(sessions.values())),
        sessions=sessions,
    )
