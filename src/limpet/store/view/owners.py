"""Query projects, agents and sessions, and count the memories and facts of a scope."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.clock import to_ms
from limpet.lean import quickjson
from limpet.model.change import Status
from limpet.model.codec import format_time, parse_time
from limpet.model.memory import Impact, Origin, Sensitivity
from limpet.model.scope import Agent, Project, Scope
from limpet.model.session import Session
from limpet.store.view.conditions import facts_seen_by, seen_by
from limpet.store.view.rows import RowSource, decode_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_TAKEN_BACK = 200


def project(source: RowSource, key_or_id: str) -> Project | None:
    """Return the project with this id or key, or None if there is none."""
    row = source.run(
        "SELECT id, name, agent FROM project WHERE id = ?1 OR id = (SELECT project FROM project_key WHERE key = ?1)",
        (key_or_id,),
    ).fetchone()
    return _decode_project(source, row) if row else None


def projects(source: RowSource) -> tuple[Project, ...]:
    """Return all projects, sorted by name."""
    rows = source.run("SELECT id, name, agent FROM project ORDER BY name, id").fetchall()
    return tuple(_decode_project(source, row) for row in rows)


def _decode_project(source: RowSource, row: Sequence[Any]) -> Project:
    keys = source.run("SELECT key FROM project_key WHERE project = ? ORDER BY change, key", (row[0],))
    return Project(id=row[0], name=row[1], agent=row[2], keys=tuple(str(key[0]) for key in keys))


def commits(source: RowSource, project_id: str, *, limit: int) -> tuple[str, ...]:
    """Return up to `limit` commit hashes that were recorded with sessions, folders and memories of a project.

    Commits of imported memories are left out, because whoever wrote the imported file could have made them up.
    """
    # Loaded here, because few hooks need this.
    from limpet.store.view.folded_rows import changes_of

    of_sessions = source.run(
        "SELECT body ->> 'commit' AS made FROM session WHERE project = ? AND made IS NOT NULL "
        "GROUP BY made ORDER BY max(first) DESC LIMIT ?",
        (project_id, limit),
    )
    of_folders = (change.payload.get("commit") for change in reversed(changes_of(source.view, project_id)))
    tokens = [Scope(agent=each.id, project=project_id).tokens() for each in agents(source)]
    of_memories = source.run(
        "SELECT made_at FROM memory WHERE scope IN "
        "(SELECT key FROM scope WHERE token IN (SELECT value FROM json_each(?))) "
        "AND origin <> ? AND made_at IS NOT NULL GROUP BY made_at ORDER BY max(created) DESC LIMIT ?",
        (quickjson.dumps([token[0] for token in tokens if token]), Origin.IMPORT.value, limit),
    )
    found = [*(row[0] for row in of_sessions), *of_folders, *(decode_commit(row[0]) for row in of_memories)]
    return tuple(dict.fromkeys(each for each in found if isinstance(each, str)))[:limit]


def agent(source: RowSource, agent_id: str) -> Agent | None:
    """Return the agent with this id, or None if there is none."""
    return next((agent for agent in agents(source) if agent.id == agent_id), None)


def agents(source: RowSource) -> tuple[Agent, ...]:
    """Return all agents, in the order in which they were first seen."""
    rows = source.run("SELECT id, name, first_seen, definition, key_id FROM agent ORDER BY first_seen")
    return tuple(
        Agent(
            id=str(row[0]),
            name=str(row[1]),
            first_seen=str(row[2]),
            definition=_optional_text(row[3]),
            key_id=_optional_text(row[4]),
        )
        for row in rows
    )


def session(source: RowSource, session_id: str) -> Session | None:
    """Return the session with this id and its number within its project, or None if there is none."""
    row = source.run(
        "SELECT agent, project, body, (SELECT count(*) FROM session n WHERE n.project IS s.project "
        "AND n.first <= s.first) FROM session s WHERE id = ?",
        (session_id,),
    ).fetchone()
    if row is None:
        return None
    body = quickjson.loads(str(row[2]))
    started, seen = parse_time(body.pop("started_at")), parse_time(body.pop("last_seen"))
    body["days"], body["compactions"] = tuple(body["days"]), int(body.pop("compacted"))
    return Session(
        id=session_id,
        agent=str(row[0]),
        project=_optional_text(row[1]),
        number=int(row[3] or 0),
        started_at=started,
        last_seen=seen,
        **body,
    )


def count_compactions(source: RowSource, project: str | None) -> int:
    """Return how often conversations were compacted in all sessions of a project."""
    found = source.run("SELECT sum(json_extract(body, '$.compacted')) FROM session WHERE project IS ?", (project,)).get
    return int(found or 0)


def last_session(source: RowSource, project: str | None, *, besides: str | None) -> str | None:
    """Return the id of the newest session of a project other than `besides`, or None if there is none."""
    found = source.run(
        "SELECT id FROM session WHERE project IS ? AND id IS NOT ? ORDER BY first DESC LIMIT 1", (project, besides)
    ).get
    return None if found is None else str(found)


def taken_back(source: RowSource, scope: Scope, *, besides: str | None) -> tuple[str, ...]:
    """Return the user's own memories that an agent has forgotten, corrected, replaced or hidden lately, newest first.

    That is since the last session of the project, other than `besides`, began. A memory that a person has confirmed is
    the user's own, too.
    """
    since = source.run(
        "SELECT max(first) FROM session WHERE project IS ? AND id IS NOT ?", (scope.project, besides)
    ).get
    if since is None:
        return ()
    rows: Any = source.run(
        "SELECT line, id, coalesce(subject, root) FROM change "
        "WHERE verb IN ('forget', 'correct', 'supersede', 'refresh') AND verb <> 'admit' AND id >= ? "
        "ORDER BY id DESC LIMIT ?",
        (since, _MOST_TAKEN_BACK),
    ).fetchall()
    if not rows:
        return ()
    # Loaded here, because a start waits for this and such changes are rare.
    from limpet.model.fold import decode_birth
    from limpet.store.journal.line import parse
    from limpet.store.view.browse import get
    from limpet.store.view.packed import unpack_line

    found = []
    for change in (parse(unpack_line(*row))[0] for row in rows):
        fresh = decode_birth(change)
        old = get(source, (fresh.corrects if fresh else change.subject) or "")
        if old is None or old.memory.effective_origin is not Origin.USER:
            continue
        if old.memory.project not in (None, scope.project) or not change.actor.startswith(f"{Origin.AGENT}:"):
            continue
        # A memory that was stored again as private is told to no model.
        is_hidden = "sensitivity" in change.payload and old.memory.sensitivity is not Sensitivity.PUBLIC
        if old.status is not Status.LIVE or is_hidden:
            found.append(old.memory.id)
    return tuple(dict.fromkeys(found))


def last_summarised_session(source: RowSource, project: str | None, *, besides: str | None) -> str | None:
    """Return the session with the newest summary among the last ten of a project, or None if none has one.

    Sessions are given by their ids, and the session `besides` is left out. The result need not be the session that
    began last, because that one may have no summary.
    """
    found = source.run(
        "SELECT memory.session FROM (SELECT id FROM session WHERE project IS ? AND id IS NOT ? ORDER BY first DESC "
        "LIMIT 10) AS recent JOIN memory ON memory.session = recent.id "
        "WHERE type = 'session_summary' AND status = 'live' ORDER BY created DESC LIMIT 1",
        (project, besides),
    ).get
    return None if found is None else str(found)


def sessions_to_curate(source: RowSource, *, since: datetime, quiet_since: datetime, limit: int) -> tuple[Session, ...]:
    """Return recorded sessions that no language model has reviewed yet, newest first.

    The sessions were last active after `since`, and have ended or were not active after `quiet_since`.
    """
    rows = source.run(
        "SELECT id FROM session WHERE project IS NOT NULL AND coalesce(json_extract(body, '$.curated'), 0) = 0 "
        "AND json_extract(body, '$.transcript') IS NOT NULL AND json_extract(body, '$.last_seen') >= ? "
        "AND (json_extract(body, '$.ended') OR json_extract(body, '$.last_seen') < ?) ORDER BY first DESC LIMIT ?",
        (format_time(since), format_time(quiet_since), limit),
    )
    found = (session(source, str(row[0])) for row in rows.fetchall())
    return tuple(each for each in found if each is not None)


def _optional_text(value: Any) -> str | None:
    return None if value is None else str(value)


def counts(source: RowSource, scope: Scope, now: datetime) -> dict[str, Any]:
    """Return the numbers of memories, facts, sessions and events of a scope, by name.

    For a property of memories, such as "status" or "kind", the result contains a dict with a number for each of its
    values.
    """
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
    of_facts, fact_values = facts_seen_by(scope)
    answer["facts"] = source.run(f"SELECT count(*) FROM fact m WHERE {of_facts}", fact_values).get
    where_session, of_session = _session_condition(scope)
    answer["sessions"] = source.run(f"SELECT count(*) FROM session WHERE {where_session}", of_session).get
    answer["captured"] = _count_captured(source, where_session, of_session)
    answer["accesses"] = source.run(
        f"SELECT coalesce(sum(a.count), 0) FROM memory m JOIN access a ON a.memory = m.id WHERE {where}", values
    ).get
    return answer


def _count_captured(source: RowSource, where: str, values: tuple[Any, ...]) -> dict[str, Any]:
    """Return how many session events were examined and kept, and how many were dropped for each reason."""
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


def _session_condition(scope: Scope) -> tuple[str, tuple[Any, ...]]:
    if scope.app is not None:
        return "agent = ? AND 0", (scope.agent,)
    if scope.every_project or scope.project is None:
        return "agent = ?", (scope.agent,)
    return "agent = ? AND project = ?", (scope.agent, scope.project)
