"""Find projects, agents and sessions."""

from __future__ import annotations

import json
from collections.abc import Sequence

from limpet.model.codec import parse_time
from limpet.model.scope import Agent, Project
from limpet.model.session import Session
from limpet.store.view.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def project(source: Source, key_or_id: str) -> Project | None:
    """Return the project with this id or key."""
    row = source.run(
        "SELECT id, name, agent FROM project WHERE id = ?1 OR id = (SELECT project FROM project_key WHERE key = ?1)",
        (key_or_id,),
    ).fetchone()
    return _with_keys(source, row) if row else None


def projects(source: Source) -> tuple[Project, ...]:
    """Return all projects by their name."""
    rows = source.run("SELECT id, name, agent FROM project ORDER BY name, id").fetchall()
    return tuple(_with_keys(source, row) for row in rows)


def _with_keys(source: Source, row: Sequence[Any]) -> Project:
    keys = source.run("SELECT key FROM project_key WHERE project = ? ORDER BY change, key", (row[0],))
    return Project(id=row[0], name=row[1], agent=row[2], keys=tuple(str(key[0]) for key in keys))


def agent(source: Source, agent_id: str) -> Agent | None:
    """Return one agent."""
    return next((agent for agent in agents(source) if agent.id == agent_id), None)


def agents(source: Source) -> tuple[Agent, ...]:
    """Return all agents, the first seen first."""
    rows = source.run("SELECT id, name, first_seen, definition, key_id FROM agent ORDER BY first_seen")
    return tuple(
        Agent(
            id=str(row[0]),
            name=str(row[1]),
            first_seen=str(row[2]),
            definition=_text(row[3]),
            key_id=_text(row[4]),
        )
        for row in rows
    )


def session(source: Source, session_id: str) -> Session | None:
    """Return one session, with its number within its project."""
    row = source.run(
        "SELECT agent, project, body, (SELECT count(*) FROM session n WHERE n.project IS s.project "
        "AND n.first <= s.first) FROM session s WHERE id = ?",
        (session_id,),
    ).fetchone()
    if row is None:
        return None
    body = json.loads(str(row[2]))
    started, seen = parse_time(body.pop("started_at")), parse_time(body.pop("last_seen"))
    body["days"] = tuple(body["days"])
    return Session(
        id=session_id,
        agent=str(row[0]),
        project=_text(row[1]),
        number=int(row[3] or 0),
        started_at=started,
        last_seen=seen,
        **body,
    )


def last_session(source: Source, project: str | None, *, besides: str | None) -> str | None:
    """Return the newest session of a project, other than the current one."""
    found = source.run(
        "SELECT id FROM session WHERE project IS ? AND id IS NOT ? ORDER BY first DESC LIMIT 1", (project, besides)
    ).get
    return None if found is None else str(found)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
