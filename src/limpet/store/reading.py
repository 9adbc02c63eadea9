"""Questions to the index, in plain SQL; one place turns a row into a memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw

from limpet.clock import from_ms, to_ms
from limpet.model.change import Change, Status
from limpet.model.codec import decode_fact, decode_memory, moment
from limpet.model.fact import Fact
from limpet.model.memory import Impact, Kind, Phase
from limpet.model.query import Page, Query, Stored
from limpet.model.scope import Agent, Project, Scope
from limpet.model.session import Session
from limpet.model.standing import Standing, priority
from limpet.store.index import parse
from limpet.store.protocol import FactQuery

_STORED = """
    m.body, m.status, a.count, a.last, a.session,
    (SELECT group_concat(reason, char(31)) FROM suspicion s WHERE s.subject = m.id),
    CASE WHEN m.project IS NULL THEN 0 ELSE
      (SELECT count(*) FROM session n WHERE n.project = m.project AND n.first >
        coalesce((SELECT first FROM session l WHERE l.id = coalesce(a.session, m.session)), '~')) END
"""
_FROM = "FROM memory m LEFT JOIN access a ON a.memory = m.id"


class Reader:
    """Implements `Reading` over one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._run = connection.execute

    def get(self, memory_id: str) -> Stored | None:
        row = self._run(f"SELECT {_STORED} {_FROM} WHERE m.id = ?", (memory_id,)).fetchone()
        return _stored(row) if row else None

    def ids_beginning(self, prefix: str, *, scope: Scope | None = None, limit: int = 20) -> tuple[str, ...]:
        where, values = _seen_by(scope) if scope else ("1", [])
        table = "fact" if prefix.startswith("fact_") else "memory"
        rows = self._run(
            f"SELECT m.id FROM {table} m WHERE m.id >= ? AND m.id < ? AND {where} ORDER BY m.id LIMIT ?",
            (prefix, prefix + "~", *values, limit),
        )
        return tuple(str(row[0]) for row in rows)

    def browse(self, query: Query) -> Page[Stored]:
        where, values = _conditions(query)
        total = self._run(f"SELECT count(*) FROM memory m WHERE {where}", values).get
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE {where} ORDER BY m.created DESC, m.id DESC LIMIT ? OFFSET ?",
            (*values, query.limit, query.offset),
        )
        return Page(items=tuple(_stored(row) for row in rows), total=int(total or 0), offset=query.offset)

    def match_text(self, query: Query, words: Sequence[str]) -> tuple[list[tuple[Stored, float]], int]:
        """The best candidates by full text with their rank (higher is better), and how many there are."""
        if not words:
            return [], 0
        asked = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
        match = f"{{title subtitle content tags files}} : ({asked})"
        tokens = query.scope.tokens()
        if tokens is not None:
            match = f"(scope : ({' OR '.join(tokens)})) AND ({match})"
        where, values = _conditions(query)
        found = (
            "FROM words JOIN memory m ON m.key = words.rowid LEFT JOIN access a ON a.memory = m.id "
            f"WHERE words MATCH ? AND {where}"
        )
        rank = "bm25(words, 4.0, 2.0, 1.0, 3.0, 2.0, 0.0)"
        rows = self._run(
            f"SELECT {rank} AS rank, {_STORED} {found} ORDER BY rank, m.created DESC LIMIT ?",
            (match, *values, query.limit),
        )
        hits = [(_stored(row[1:]), -float(row[0] or 0)) for row in rows.fetchall()]
        total = self._run(f"SELECT count(*) {found}", (match, *values)).get
        return hits, int(total or 0)

    def same_text(self, scope_token: str, content_hash: str) -> tuple[Stored, ...]:
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE m.content_hash = ? AND m.scope = ? "
            "AND m.status IN ('live', 'forgotten') ORDER BY m.status DESC, m.id",
            (content_hash, scope_token),
        )
        return tuple(_stored(row) for row in rows)

    def recent_with(self, scope_token: str, word: str, *, limit: int = 10) -> tuple[Stored, ...]:
        """The newest memories that hold a word; unranked, so the cost does not grow with the store."""
        quoted = '"' + word.replace('"', '""') + '"'
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE m.key IN (SELECT rowid FROM words WHERE words MATCH ? "
            "ORDER BY rowid DESC LIMIT ?)",
            (f"scope : {scope_token} AND {{title content}} : {quoted}", limit),
        )
        return tuple(_stored(row) for row in rows)

    def nearly_alike(self, scope_token: str, bands: Sequence[int], *, limit: int = 10) -> tuple[Stored, ...]:
        asked = ",".join("?" * len(bands))
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE m.scope = ? AND m.status = 'live' AND m.key IN "
            f"(SELECT memory FROM band WHERE value IN ({asked})) ORDER BY m.created DESC LIMIT ?",
            (scope_token, *bands, limit),
        )
        return tuple(_stored(row) for row in rows)

    def newest(self, scope_token: str, kind: Kind) -> str | None:
        found = self._run(
            "SELECT id FROM memory WHERE scope = ? AND kind = ? AND status = 'live' "
            "ORDER BY created DESC, id DESC LIMIT 1",
            (scope_token, kind),
        ).get
        return None if found is None else str(found)

    def versions(self, memory_id: str) -> tuple[Stored, ...]:
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE m.root = (SELECT root FROM memory WHERE id = ?) ORDER BY m.created, m.id",
            (memory_id,),
        )
        return tuple(_stored(row) for row in rows)

    def descendants(self, memory_id: str) -> tuple[str, ...]:
        rows = self._run("SELECT memory FROM descent WHERE ancestor = ? ORDER BY memory", (memory_id,))
        return tuple(str(row[0]) for row in rows)

    def history(self, subject: str) -> tuple[Change, ...]:
        root = self._run("SELECT root FROM memory WHERE id = ?", (subject,)).get or subject
        rows = self._run("SELECT line FROM change WHERE root = ? AND subject = ? ORDER BY id", (root, subject))
        return tuple(parse(bytes(row[0]))[0] for row in rows)

    def links(self, scope: Scope) -> tuple[tuple[str, str, str], ...]:
        where, values = _seen_by(scope)
        rows = self._run(
            f"SELECT l.source, l.relation, l.target FROM link l JOIN memory m ON m.id = l.source WHERE {where} "
            "ORDER BY l.source, l.relation, l.target",
            values,
        )
        return tuple((str(row[0]), str(row[1]), str(row[2])) for row in rows)

    def fact(self, fact_id: str) -> Fact | None:
        body = self._run("SELECT body FROM fact WHERE id = ?", (fact_id,)).get
        return None if body is None else decode_fact(json.loads(str(body)))

    def facts(self, query: FactQuery) -> Page[Fact]:
        where, values = _seen_by(query.scope)
        parts = [where]
        for column in ("subject", "predicate", "object"):
            asked = getattr(query, column)
            if asked is not None:
                parts.append(f"m.{column} = ?")
                values.append(asked.casefold())
        if query.at is not None:
            at = to_ms(query.at)
            parts.append("m.started <= ? AND (m.ended IS NULL OR m.ended > ?)")
            values += [at, at]
        elif not query.closed:
            parts.append("m.ended IS NULL")
        condition = " AND ".join(parts)
        total = self._run(f"SELECT count(*) FROM fact m WHERE {condition}", values).get
        rows = self._run(
            f"SELECT body FROM fact m WHERE {condition} ORDER BY m.started DESC, m.id DESC LIMIT ? OFFSET ?",
            (*values, query.limit, query.offset),
        )
        facts = tuple(decode_fact(json.loads(str(row[0]))) for row in rows)
        return Page(items=facts, total=int(total or 0), offset=query.offset)

    def facts_from(self, memory_ids: Sequence[str]) -> tuple[Fact, ...]:
        """Facts that rest on these memories and on nothing else."""
        ids = set(memory_ids)
        found = []
        for (body,) in self._run("SELECT body FROM fact WHERE body LIKE '%\"mem\\_%' ESCAPE '\\'"):
            fact = decode_fact(json.loads(str(body)))
            if fact.sources and ids.issuperset(fact.sources):
                found.append(fact)
        return tuple(found)

    def project(self, key_or_id: str) -> Project | None:
        row = self._run(
            "SELECT id, name, agent FROM project "
            "WHERE id = ?1 OR id = (SELECT project FROM project_key WHERE key = ?1)",
            (key_or_id,),
        ).fetchone()
        return self._project(row) if row else None

    def projects(self) -> tuple[Project, ...]:
        return tuple(map(self._project, self._run("SELECT id, name, agent FROM project ORDER BY name, id").fetchall()))

    def _project(self, row: Sequence[Any]) -> Project:
        keys = self._run("SELECT key FROM project_key WHERE project = ? ORDER BY change, key", (row[0],))
        return Project(id=row[0], name=row[1], agent=row[2], keys=tuple(str(key[0]) for key in keys))

    def agent(self, agent_id: str) -> Agent | None:
        return next((agent for agent in self.agents() if agent.id == agent_id), None)

    def agents(self) -> tuple[Agent, ...]:
        rows = self._run("SELECT id, name, first_seen, definition, key_id FROM agent ORDER BY first_seen")
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

    def session(self, session_id: str) -> Session | None:
        row = self._run(
            "SELECT agent, project, body, (SELECT count(*) FROM session n WHERE n.project IS s.project "
            "AND n.first <= s.first) FROM session s WHERE id = ?",
            (session_id,),
        ).fetchone()
        if row is None:
            return None
        body = json.loads(str(row[2]))
        started, seen = moment(body.pop("started_at")), moment(body.pop("last_seen"))
        return Session(
            id=session_id,
            agent=str(row[0]),
            project=_text(row[1]),
            number=int(row[3] or 0),
            started_at=started,
            last_seen=seen,
            **body,
        )

    def counts(self, scope: Scope, now: datetime) -> dict[str, Any]:
        where, values = _seen_by(scope)
        answer: dict[str, Any] = {}
        for name in ("status", "kind", "type", "impact", "region", "origin", "sensitivity", "phase"):
            only = "" if name == "status" else " AND m.status = 'live'"
            rows = self._run(
                f"SELECT m.{name}, count(*) FROM memory m WHERE {where}{only} GROUP BY 1 ORDER BY 1", values
            )
            answer[name] = {str(row[0]): row[1] for row in rows}
        ranks = {str(impact.rank): impact.value for impact in Impact}
        answer["impact"] = {ranks[key]: count for key, count in answer["impact"].items()}
        answer["expired"] = self._run(
            f"SELECT count(*) FROM memory m WHERE {where} AND m.status = 'live' AND m.expires <= ?",
            (*values, to_ms(now)),
        ).get
        answer["changes"] = self._run("SELECT count(*) FROM change").get
        answer["facts"] = self._run(f"SELECT count(*) FROM fact m WHERE {where}", values).get
        answer["sessions"] = self._run("SELECT count(*) FROM session").get
        answer["accesses"] = self._run(
            f"SELECT coalesce(sum(a.count), 0) FROM memory m JOIN access a ON a.memory = m.id WHERE {where}", values
        ).get
        return answer

    def twins(self) -> tuple[Stored, ...]:
        """Live memories whose very text an earlier one of the same scope has."""
        rows = self._run(f"SELECT {_STORED} {_FROM} WHERE m.twin AND m.status = 'live' ORDER BY m.id")
        return tuple(_stored(row) for row in rows)

    def over_cap(self, scope_token: str | None, agent: str, cap: int) -> tuple[Stored, ...]:
        """When more than `cap` memories are at full length: those that may step down, lowest priority first."""
        where = "m.agent = ? AND m.app IS NULL" if scope_token is None else "m.agent = ? AND m.scope = ?"
        values: list[Any] = [agent] if scope_token is None else [agent, scope_token]
        full = f"{where} AND m.status = 'live' AND m.phase = {int(Phase.FULL)}"
        count = self._run(f"SELECT count(*) FROM memory m WHERE {full}", values).get
        if int(count or 0) <= cap:
            return ()
        critical = Impact.CRITICAL.rank
        rows = self._run(f"SELECT {_STORED} {_FROM} WHERE {full} AND NOT m.pinned AND m.impact < {critical}", values)
        stored = [_stored(row) for row in rows]
        return tuple(sorted(stored, key=lambda each: (priority(each.memory, each.standing), each.memory.id)))


def _stored(row: Sequence[Any]) -> Stored:
    body, status, count, last, session, suspicions, sessions_since = row
    return Stored(
        memory=decode_memory(json.loads(body)),
        status=Status(status),
        standing=Standing(
            access_count=count or 0,
            last_accessed=from_ms(last) if last else None,
            last_session=session,
            sessions_since=sessions_since or 0,
        ),
        suspicions=tuple(suspicions.split("\x1f")) if suspicions else (),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _seen_by(scope: Scope) -> tuple[str, list[Any]]:
    tokens = scope.tokens()
    if tokens is None:
        return "m.agent = ?", [scope.agent]
    return f"m.scope IN ({','.join('?' * len(tokens))})", list(tokens)


def _conditions(query: Query) -> tuple[str, list[Any]]:
    where, values = _seen_by(query.scope)
    parts = [where]

    def add(condition: str, *given: Any) -> None:
        parts.append(condition)
        values.extend(given)

    add(f"m.status IN ({','.join('?' * len(query.statuses))})", *query.statuses)
    if query.statuses == (Status.LIVE,):
        add("NOT m.twin")
    add(f"m.sensitivity IN ({','.join('?' * len(query.sensitivity))})", *query.sensitivity)
    if not query.expired:
        add("(m.expires IS NULL OR m.expires > ?)", to_ms(query.now))
    for column in ("kind", "type", "session", "origin", "branch"):
        asked = getattr(query, column)
        if asked is not None:
            add(f"m.{column} = ?", asked)
    if query.impact is not None:
        add("m.impact = ?", query.impact.rank)
    if query.phase is not None:
        add("m.phase = ?", int(query.phase))
    if query.pinned is not None:
        add("m.pinned = ?", query.pinned)
    if query.since is not None:
        add("m.created >= ?", to_ms(query.since))
    if query.until is not None:
        add("m.created < ?", to_ms(query.until))
    facet = "m.key IN (SELECT memory FROM facet WHERE name = ? AND value = ?)"
    if query.tag is not None:
        add(facet, "tag", query.tag.lower())
    if query.concept is not None:
        add(facet, "concept", query.concept.value)
    if query.file is not None:
        # A bare name finds the file wherever it lies; a longer path must fit its end.
        add(
            "m.key IN (SELECT memory FROM facet WHERE name = 'file' AND (value = ? OR substr(value, ?) = ?))",
            query.file,
            -len(query.file) - 1,
            f"/{query.file}",
        )
    return " AND ".join(parts), values
