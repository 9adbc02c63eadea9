"""Questions to the index, in plain SQL; one place turns a row into a memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from limpet.clock import to_ms
from limpet.model.change import Change
from limpet.model.codec import decode_fact, parse_time
from limpet.model.fact import Fact
from limpet.model.memory import Impact, Kind, Phase
from limpet.model.query import Page, Query, Stored
from limpet.model.receipt import Receipt
from limpet.model.scope import Agent, Project, Scope
from limpet.model.session import Session
from limpet.store.journal.records import parse
from limpet.store.protocol import FactQuery
from limpet.store.view.conditions import conditions, seen_by
from limpet.store.view.due import Tending
from limpet.store.view.rows import scoped_bands
from limpet.store.view.stored import BY_KEY as _BY_KEY
from limpet.store.view.stored import FROM as _FROM
from limpet.store.view.stored import STORED as _STORED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RECENT = 200


class Reader(Tending):
    """Implements `Reading` over one connection."""

    def get(self, memory_id: str) -> Stored | None:
        row = self._run(f"SELECT {_STORED} {_FROM} WHERE m.id = ?", (memory_id,)).fetchone()
        return self._stored(row) if row else None

    def ids_with_prefix(self, prefix: str, *, scope: Scope | None = None, limit: int = 20) -> tuple[str, ...]:
        where, values = seen_by(scope) if scope else ("1", [])
        table = "fact" if prefix.startswith("fact_") else "memory"
        rows = self._run(
            f"SELECT m.id FROM {table} m WHERE m.id >= ? AND m.id < ? AND {where} ORDER BY m.id LIMIT ?",
            (prefix, prefix + "~", *values, limit),
        )
        return tuple(str(row[0]) for row in rows)

    def browse(self, query: Query) -> Page[Stored]:
        where, values = conditions(query)
        total = self._run(f"SELECT count(*) FROM memory m WHERE {where}", values).get
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE {where} ORDER BY m.created DESC, m.id DESC LIMIT ? OFFSET ?",
            (*values, query.limit, query.offset),
        )
        return Page(items=tuple(self._stored(row) for row in rows), total=int(total or 0), offset=query.offset)

    def by_keys(self, query: Query, keys: Sequence[int]) -> dict[int, Stored]:
        """Of these, the memories that the query may see."""
        where, values = conditions(query)
        marks = ",".join("?" * len(keys))
        rows = self._run(f"SELECT m.key, {_STORED} {_BY_KEY} WHERE m.key IN ({marks}) AND {where}", (*keys, *values))
        return {int(row[0] or 0): self._stored(row[1:]) for row in rows}

    def same_text(self, scope_token: str, content_hash: str) -> tuple[Stored, ...]:
        rows = self._run(
            f"SELECT {_STORED} {_FROM} WHERE m.content_hash = ? AND m.scope = ? "
            "AND m.status IN ('live', 'forgotten') ORDER BY m.status DESC, m.id",
            (content_hash, scope_token),
        )
        return tuple(self._stored(row) for row in rows)

    def recent_with_word(self, scope_token: str, word: str, *, limit: int = 10) -> tuple[Stored, ...]:
        """The newest memories that hold a word; unranked, so the cost does not grow with the store."""
        # SQLite would take a zero for the end of the question.
        quoted = '"' + word.replace('"', '""').replace("\0", " ") + '"'
        # The scope is asked of the rows that were found: in the full text its list is as long as the store.
        found = self._run(
            "SELECT k.key FROM memory k NOT INDEXED WHERE k.key IN (SELECT rowid FROM words WHERE words MATCH ? "
            "ORDER BY rowid DESC LIMIT ?) AND k.scope = ? AND k.status = 'live' AND k.phase < ? "
            "AND k.sensitivity IN ('public', 'private') ORDER BY k.key DESC LIMIT ?",
            (f"{{title content}} : {quoted}", _RECENT, scope_token, int(Phase.ARCHIVED), limit),
        ).fetchall()
        keys = [int(row[0] or 0) for row in found]
        marks = ",".join("?" * len(keys))
        rows = self._run(f"SELECT {_STORED} {_BY_KEY} WHERE m.key IN ({marks}) ORDER BY m.key DESC", keys)
        return tuple(self._stored(row) for row in rows)

    def near_duplicates(self, scope_token: str, simhash: int, *, limit: int = 10) -> tuple[Stored, ...]:
        """The memories whose texts look most like one with this hash."""
        from limpet.text.similarity import FAR_BITS, hamming

        values = scoped_bands(scope_token, simhash)
        rows = self._run(f"SELECT memory, simhash FROM band WHERE value IN ({','.join('?' * len(values))})", values)
        distances = {int(row[0] or 0): hamming(simhash, int(row[1] or 0) + (1 << 63)) for row in rows}
        nearest = [
            key for key in sorted(distances, key=lambda key: (distances[key], -key)) if distances[key] <= FAR_BITS
        ]
        chosen = nearest[:limit]
        found = self._run(
            f"SELECT {_STORED} {_BY_KEY} WHERE m.key IN ({','.join('?' * len(chosen))}) AND m.scope = ? "
            "AND m.status = 'live' ORDER BY m.id DESC",
            (*chosen, scope_token),
        )
        return tuple(self._stored(row) for row in found)

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
        return tuple(self._stored(row) for row in rows)

    def descendants(self, memory_id: str) -> tuple[str, ...]:
        rows = self._run(
            "SELECT d.memory FROM descent d JOIN memory m ON m.id = d.memory WHERE d.ancestor = ? ORDER BY d.memory",
            (memory_id,),
        )
        return tuple(str(row[0]) for row in rows)

    def history(self, subject: str) -> tuple[Change, ...]:
        root = self._run("SELECT root FROM memory WHERE id = ?", (subject,)).get
        if root is None:
            # Purged, or not a memory: then only the changes themselves can say which line it was of.
            root = self._run("SELECT root FROM change WHERE subject = ? LIMIT 1", (subject,)).get
        rows = self._run("SELECT line FROM change WHERE root = ? AND subject = ? ORDER BY id", (root, subject))
        return tuple(parse(bytes(row[0]))[0] for row in rows)

    def links(self, scope: Scope) -> tuple[tuple[str, str, str], ...]:
        where, values = seen_by(scope)
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
        where, values = seen_by(query.scope)
        parts = [where]
        for column in ("subject", "predicate", "object"):
            asked = getattr(query, column)
            if asked is not None:
                parts.append(f"m.{column} = ?")
                values.append(asked.casefold())
        if query.subject is None and query.predicate is None:
            # Where a session turned is kept as a fact too, and is told when a session is asked about.
            parts.append("m.subject NOT LIKE 'session:%'")
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

    def last_session(self, project: str | None, *, besides: str | None) -> str | None:
        """The newest session of a project, other than the one we are in."""
        found = self._run(
            "SELECT id FROM session WHERE project IS ? AND id IS NOT ? ORDER BY first DESC LIMIT 1", (project, besides)
        ).get
        return None if found is None else str(found)

    def counts(self, scope: Scope, now: datetime) -> dict[str, Any]:
        where, values = seen_by(scope)
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
        where_session, of_session = _sessions_of(scope)
        answer["sessions"] = self._run(f"SELECT count(*) FROM session WHERE {where_session}", of_session).get
        answer["captured"] = self._captured(where_session, of_session)
        answer["accesses"] = self._run(
            f"SELECT coalesce(sum(a.count), 0) FROM memory m JOIN access a ON a.memory = m.id WHERE {where}", values
        ).get
        return answer

    def _captured(self, where: str, values: tuple[Any, ...]) -> dict[str, Any]:
        """What came of the events of sessions: how many were seen, kept, and dropped for which reason."""
        row: Any = self._run(
            f"SELECT coalesce(sum(body ->> 'seen'), 0), coalesce(sum(body ->> 'kept'), 0) FROM session WHERE {where}",
            values,
        ).fetchone()
        reasons = self._run(
            f"SELECT d.key, sum(d.value) FROM session s, json_each(s.body, '$.dropped') d WHERE {where} "
            "GROUP BY 1 ORDER BY 2 DESC",
            values,
        )
        return {"seen": row[0], "kept": row[1], "dropped": {str(key): count for key, count in reasons}}

    def for_start(self, scope: Scope, *, now: datetime, limit: int) -> tuple[Stored, ...]:
        """What may be brought up at a session's start, what matters most first and then the newest.

        Each step reads one slice of an index, so the cost does not grow with the store.
        """
        found: list[Stored] = []
        for rank in sorted((impact.rank for impact in Impact), reverse=True):
            for token in scope.tokens() or ():
                rows = self._run(
                    f"SELECT {_STORED} {_FROM} WHERE m.scope = ? AND m.impact = ? AND m.reach = 2 "
                    "AND m.status = 'live' AND NOT m.twin AND m.sensitivity = 'public' "
                    "AND (m.expires IS NULL OR m.expires > ?) ORDER BY m.created DESC LIMIT ?",
                    (token, rank, to_ms(now), limit),
                )
                found += [self._stored(row) for row in rows]
            if len(found) >= limit:
                break
        return tuple(found)

    def receipts(
        self, *, session: str | None = None, memory: str | None = None, limit: int = 100
    ) -> tuple[Receipt, ...]:
        """What was handed out in a session, or of one memory; the newest first."""
        if memory is not None:
            source, values = "receipt r JOIN shown s ON s.receipt = r.id AND s.memory = ?", [memory]
        else:
            source, values = "receipt r", []
        where = "1" if session is None else "r.session = ?"
        rows = self._run(
            f"SELECT r.id, r.body FROM {source} WHERE {where} ORDER BY r.id DESC LIMIT ?",
            (*values, *([] if session is None else [session]), limit),
        )
        return tuple(Receipt.decode(str(id), json.loads(str(body))) for id, body in rows)


def _sessions_of(scope: Scope) -> tuple[str, tuple[Any, ...]]:
    if scope.app is not None:
        return "agent = ? AND 0", (scope.agent,)
    if scope.every_project or scope.project is None:
        return "agent = ?", (scope.agent,)
    return "agent = ? AND project = ?", (scope.agent, scope.project)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
