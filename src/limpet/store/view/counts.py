"""Count what a scope holds."""

from __future__ import annotations

from datetime import datetime

from limpet.clock import to_ms
from limpet.model.memory import Impact
from limpet.model.scope import Scope
from limpet.store.view.conditions import seen_by
from limpet.store.view.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def counts(source: Source, scope: Scope, now: datetime) -> dict[str, Any]:
    """Return how many memories, facts and sessions a scope holds, by several properties."""
    where, values = seen_by(scope)
    answer: dict[str, Any] = {}
    for name in ("status", "kind", "type", "impact", "region", "origin", "sensitivity", "phase"):
        only = "" if name == "status" else " AND m.status = 'live'"
        rows = source.run(f"SELECT m.{name}, count(*) FROM memory m WHERE {where}{only} GROUP BY 1 ORDER BY 1", values)
        answer[name] = {str(row[0]): row[1] for row in rows}
    ranks = {str(impact.rank): impact.value for impact in Impact}
    answer["impact"] = {ranks[key]: count for key, count in answer["impact"].items()}
    answer["expired"] = source.run(
        f"SELECT count(*) FROM memory m WHERE {where} AND m.status = 'live' AND m.expires <= ?",
        (*values, to_ms(now)),
    ).get
    answer["changes"] = source.run("SELECT count(*) FROM change").get
    answer["facts"] = source.run(f"SELECT count(*) FROM fact m WHERE {where}", values).get
    where_session, of_session = _sessions_of(scope)
    answer["sessions"] = source.run(f"SELECT count(*) FROM session WHERE {where_session}", of_session).get
    answer["captured"] = _captured(source, where_session, of_session)
    answer["accesses"] = source.run(
        f"SELECT coalesce(sum(a.count), 0) FROM memory m JOIN access a ON a.memory = m.id WHERE {where}", values
    ).get
    return answer


def _captured(source: Source, where: str, values: tuple[Any, ...]) -> dict[str, Any]:
    """Return how many events of sessions were seen, kept, and dropped for which reason."""
    row: Any = source.run(
        f"SELECT coalesce(sum(body ->> 'seen'), 0), coalesce(sum(body ->> 'kept'), 0) FROM session WHERE {where}",
        values,
    ).fetchone()
    reasons = source.run(
        f"SELECT d.key, sum(d.value) FROM session s, json_each(s.body, '$.dropped') d WHERE {where} "
        "GROUP BY 1 ORDER BY 2 DESC",
        values,
    )
    return {"seen": row[0], "kept": row[1], "dropped": {str(key): count for key, count in reasons}}


def _sessions_of(scope: Scope) -> tuple[str, tuple[Any, ...]]:
    if scope.app is not None:
        return "agent = ? AND 0", (scope.agent,)
    if scope.every_project or scope.project is None:
        return "agent = ?", (scope.agent,)
    return "agent = ? AND project = ?", (scope.agent, scope.project)
