"""Query facts, and antigens (recurring failures, with the rules that prevent them)."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.clock import to_ms
from limpet.lean import quickjson
from limpet.model.change import INCIDENTS_PREFIX
from limpet.model.codec import decode_fact
from limpet.model.fact import Fact
from limpet.model.query import Page
from limpet.model.scope import Scope
from limpet.store.protocol import FactQuery
from limpet.store.view.conditions import facts_seen_by
from limpet.store.view.rows import RowSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.antigen import Antigen


def fact(source: RowSource, fact_id: str) -> Fact | None:
    """Return the fact with this id, or None if there is none."""
    body = source.run("SELECT body FROM fact WHERE id = ?", (fact_id,)).get
    return None if body is None else decode_fact(quickjson.loads(str(body)))


def facts(source: RowSource, query: FactQuery) -> Page[Fact]:
    """Return a page of the facts that a query selects, newest first."""
    where, values = facts_seen_by(query.scope)
    parts = [where]
    for column in ("subject", "predicate", "object"):
        asked = getattr(query, column)
        if asked is not None:
            parts.append(f"m.{column} = ?")
            values.append(asked.casefold())
    if query.subject is None and query.predicate is None:
        # Boundaries (where a session changed its subject) are facts too. They are found only by subject or predicate.
        parts.append("m.subject NOT LIKE 'session:%'")
    if query.at is not None:
        at = to_ms(query.at)
        parts.append("m.started <= ? AND (m.ended IS NULL OR m.ended > ?)")
        values += [at, at]
    elif not query.closed:
        parts.append("m.ended IS NULL")
    condition = " AND ".join(parts)
    total = source.run(f"SELECT count(*) FROM fact m WHERE {condition}", values).get
    rows = source.run(
        f"SELECT body FROM fact m WHERE {condition} ORDER BY m.started DESC, m.id DESC LIMIT ? OFFSET ?",
        (*values, query.limit, query.offset),
    )
    facts = tuple(decode_fact(quickjson.loads(str(row[0]))) for row in rows)
    return Page(items=facts, total=int(total or 0), offset=query.offset)


def facts_from(source: RowSource, memory_ids: Sequence[str]) -> tuple[Fact, ...]:
    """Return the facts whose sources are all among these memories."""
    ids = set(memory_ids)
    found = []
    for (body,) in source.run("SELECT body FROM fact WHERE body LIKE '%\"mem\\_%' ESCAPE '\\'"):
        fact = decode_fact(quickjson.loads(str(body)))
        if fact.sources and ids.issuperset(fact.sources):
            found.append(fact)
    return tuple(found)


def antigens(source: RowSource, scope: Scope | None) -> tuple[Antigen, ...]:
    """Return the antigens of a scope, or all antigens if `scope` is None.

    The antigens that were seen in the most conversations come first.
    """
    where, values = facts_seen_by(scope) if scope else ("1", [])
    rows = source.run(f"SELECT m.body FROM antigen m WHERE {where}", values).fetchall()
    if not rows:
        return ()
    # Loaded here, because most stores have no antigen.
    from limpet.model.antigen import decode_antigen

    found = (decode_antigen(quickjson.loads(str(row[0]))) for row in rows)
    return tuple(sorted(found, key=lambda each: (-each.conversations, each.id)))


def purged_sessions(source: RowSource) -> frozenset[str]:
    """Return the ids of the sessions whose incidents were all erased by a purge."""
    # The end of the range is the prefix with its last character raised to the next one.
    end = INCIDENTS_PREFIX[:-1] + chr(ord(INCIDENTS_PREFIX[-1]) + 1)
    rows = source.run("SELECT subject FROM purged WHERE subject >= ? AND subject < ?", (INCIDENTS_PREFIX, end))
    return frozenset(str(row[0]).removeprefix(INCIDENTS_PREFIX) for row in rows)
