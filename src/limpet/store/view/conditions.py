"""Build SQL conditions that limit a query to the memories or facts that it may return."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.clock import to_ms
from limpet.model.change import Status
from limpet.model.memory import Origin, Phase
from limpet.model.query import OPEN, Query
from limpet.model.scope import Scope, agent_token
from limpet.store.view.open import SCOPE
from limpet.store.view.rows import USERS, index_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

COLUMNS = "{title subtitle content tags files}"
"""The columns of the full-text index with the text of a memory, without the column for its scope."""


def seen_by(scope: Scope) -> tuple[str, list[Any]]:
    """Return the SQL condition for the memories that are visible to a scope, and the values of its parameters."""
    tokens = scope.tokens()
    if tokens is None:
        # The memories of an app belong to the app, not to the agent.
        return "m.agent = ? AND m.app IS NULL", [scope.agent]
    return within(tokens)


def facts_seen_by(scope: Scope) -> tuple[str, list[Any]]:
    """Return the SQL condition for the facts that are visible to a scope, and the values of its parameters."""
    tokens = scope.tokens()
    if tokens is None:
        return "m.agent = ?", [scope.agent]
    return f"m.scope IN ({','.join('?' * len(tokens))})", list(tokens)


def within(tokens: Sequence[str]) -> tuple[str, list[Any]]:
    """Return the SQL condition for memories of the scopes with these tokens, and the values of its parameters."""
    return f"m.scope IN ({', '.join([SCOPE] * len(tokens))})", list(tokens)


def search_tokens(query: Query) -> list[str]:
    """Return words for the scope column of the full-text index. A query finds only memories with one of them."""
    tokens = query.scope.tokens()
    if tokens is None:
        tokens = (agent_token(query.scope.agent),)
    archived = query.phase is Phase.ARCHIVED
    found = index_tokens(tokens, query.sensitivity, archived)
    return [f"{token}{USERS}" for token in found] if query.origin is Origin.USER else found


def is_plain(query: Query) -> bool:
    """Tell whether a query filters by scope and sensitivity only. Such a search needs only the full-text index."""
    return (
        query.kind is None
        and query.type is None
        and query.impact is None
        and query.concept is None
        and query.tag is None
        and query.file is None
        and query.keyword is None
        and query.session is None
        and query.since is None
        and query.until is None
        and query.phase is None
        and query.origin is None
        and query.branch is None
        and query.pinned is None
        and query.tier is None
    )


def conditions(query: Query, tokens: Sequence[str] | None = None) -> tuple[str, list[Any]]:
    """Return the SQL condition for all filters of a query, and the values of its parameters.

    If `tokens` is given, the scopes with these tokens replace the scope of the query.
    """
    where, values = seen_by(query.scope) if tokens is None else within(tokens)
    parts = [where]

    def add(condition: str, *given: Any) -> None:
        parts.append(condition)
        values.extend(given)

    if query.statuses == (Status.LIVE,):
        add("m.status = 'live' AND NOT m.twin")
    else:
        add(f"m.status IN ({','.join('?' * len(query.statuses))})", *query.statuses)
    if query.sensitivity == OPEN:
        add("m.sensitivity = 'public'")
    else:
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
    elif not query.archived:
        add(f"m.phase < {int(Phase.ARCHIVED)}")
    if query.pinned is not None:
        add("m.pinned = ?", query.pinned)
    if query.tier is not None:
        # Written out for SQLite, which uses a partial index only for a constant.
        add(f"m.tier = '{query.tier.value}'")
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
        # A file name matches in every folder; a path matches the end of a longer path.
        add(
            "m.key IN (SELECT memory FROM facet WHERE name = 'file' AND (value = ? OR substr(value, ?) = ?))",
            query.file,
            -len(query.file) - 1,
            f"/{query.file}",
        )
    if query.keyword is not None:
        # Loaded here, because the start of a session searches for no words.
        from limpet.text.lexicon import parse_terms

        words = " AND ".join(f"({' OR '.join(term.ways)})" for term in parse_terms(query.keyword))
        if words:
            add("m.key IN (SELECT rowid FROM words WHERE words MATCH ?)", f"{COLUMNS} : ({words})")
        else:
            add("0")
    return " AND ".join(parts), values
