"""Read when an owner was worked with from the view."""

from __future__ import annotations

from collections.abc import Callable

from limpet.model.activity import FARTHEST, Activity, owner_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(run: Callable[..., Any], project: str | None, agent: str) -> Activity:
    days = run(
        "SELECT DISTINCT day FROM active_day WHERE owner = ? ORDER BY day DESC LIMIT ?",
        (owner_of(project, agent), FARTHEST),
    ).fetchall()
    column, value = ("agent", agent) if project is None else ("project", project)
    rows = run(f"SELECT id, first FROM session WHERE {column} = ? ORDER BY first DESC LIMIT ?", (value, FARTHEST))
    sessions = {str(name): str(first) for name, first in rows}
    return Activity(
        days=tuple(sorted(int(row[0]) for row in days)), began=tuple(sorted(sessions.values())), sessions=sessions
    )
