"""Five memories to search, and the hits of a search."""

from __future__ import annotations

from typing import Any

from limpet.model.query import Hit
from limpet.operations.parameters import build_query
from limpet.recall.search import search
from tests.operations.sandbox import Sandbox

MIGRATIONS = "Migrations run with alembic upgrade head; the deploy job holds the lock"
PORT = "The default port of the API is 9090"
ANSWERS = "Matt prefers short answers without emoji"
LEAK = "Celery workers leak memory in the prefork pool; max-tasks-per-child=200 keeps them small"
TIMEOUT = "psycopg.OperationalError: connection timed out when the pool is exhausted; raise max_overflow"


def found(sandbox: Sandbox, query: str, **options: Any) -> list[str]:
    """Return the texts of the hits, best first."""
    return [hit.memory.content for hit in sandbox.ask("recall", query=query, **options).items]


def told(sandbox: Sandbox, query: str) -> list[str]:
    """Return the texts of what a search finds that nobody asked for."""
    with sandbox.open() as runtime:
        unasked = build_query(runtime, text=query, limit=8)
        page = search(unasked, reading=runtime.reading(), settings=runtime.settings.recall, judge=runtime.signer.judge)
    return [hit.memory.content for hit in page.items]


def first_hit(sandbox: Sandbox, query: str, **options: Any) -> Hit:
    hit: Hit = sandbox.ask("recall", query=query, **options).items[0]
    return hit
