"""The rows of facts, projects, agents and sessions: what the changes of one root say they are."""

from __future__ import annotations

import json

from limpet.clock import to_ms
from limpet.model.change import Change
from limpet.model.codec import encode_fact, format_time
from limpet.model.fact import Fact
from limpet.model.fold import fold_agent, fold_fact, fold_project, fold_session
from limpet.model.ids import lowest_after
from limpet.model.scope import Scope
from limpet.model.session import Session
from limpet.store.view.open import View
from limpet.store.view.purged import is_purged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIXES = {"fact": "", "project": "", "agent": "agent:", "session": "session:"}
"""What the id in the first column of each table lacks to be the root of its changes."""


def row_of(view: View, root: str, changes: list[Change]) -> tuple[Any, ...] | None:
    """Return what the table of its kind must say of a fact, project, agent or session."""
    if root.startswith("fact_"):
        fact = None if is_purged(view, root) else fold_fact(changes)
        return None if fact is None else _fact_row(fact)
    if root.startswith("prj_"):
        project = fold_project(changes)
        return None if project is None else (project.id, project.name, project.agent)
    if root.startswith("agent:"):
        agent = fold_agent(changes)
        return None if agent is None else (agent.id, agent.name, agent.first_seen, agent.definition, agent.key_id)
    session = fold_session(changes) if root.startswith("session:") else None
    if session is None:
        return None
    # By when it began, which may be long before its first change was written.
    first = lowest_after(to_ms(session.started_at))
    return session.id, session.agent, session.project, first, json.dumps(_session_body(session))


def _fact_row(fact: Fact) -> tuple[Any, ...]:
    scope = Scope(agent=fact.agent, project=fact.project, app=fact.app).tokens()
    assert scope is not None
    return (
        fact.id,
        scope[0],
        fact.agent,
        fact.subject.casefold(),
        fact.predicate.casefold(),
        fact.object.casefold(),
        to_ms(fact.valid_from),
        to_ms(fact.valid_to) if fact.valid_to else None,
        json.dumps(encode_fact(fact), ensure_ascii=False),
    )


def _session_body(session: Session) -> dict[str, Any]:
    return {
        "started_at": format_time(session.started_at),
        "last_seen": format_time(session.last_seen),
        "successes": session.successes,
        "failures": session.failures,
        "tokens": session.tokens,
        "compacted": session.compacted,
        "branch": session.branch,
        "commit": session.commit,
        "transcript": session.transcript,
        "ended": session.ended,
        "seen": session.seen,
        "kept": session.kept,
        "dropped": dict(session.dropped),
        "taken": dict(session.taken),
        "days": list(session.days),
    }
