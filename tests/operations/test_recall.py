"""Recalling: any text is a question, and what is out of sight does not answer."""

from __future__ import annotations

import pytest

from limpet.model.query import Page, Stored
from limpet.text.embedding import load_embedding_table
from tests.operations.sandbox import DAY, Sandbox


@pytest.mark.parametrize(
    "query",
    [
        *("", " ", '"', '""', "'", "user's", "a AND", "OR", "NOT x", "NEAR(a b, 2)", "(", ")", "title:x", "*", "^a"),
        *("foo.py", "half-life", "C++", "日本", "naïve", "😀", "\0", "\x1b[2J", "\ud800", "a" * 100_000, "' OR 1=1 --"),
        *('"; DROP TABLE memory; --', "{title}", "col : x", "+", "\\", "%", "_", "\n", "<script>", "../../etc", "-x"),
    ],
)  # fmt: skip
def test_any_text_is_a_legal_question(sandbox: Sandbox, query: str) -> None:
    sandbox.remember("Alembic runs the migrations")
    sandbox.ask("recall", query=query)
    assert sandbox.texts() == ["Alembic runs the migrations"]


def test_a_question_that_nothing_answers_gets_weak_hits(shelf: Sandbox) -> None:
    hits = shelf.json("recall", query="which colour has the submarine of the queen")["hits"]
    assert hits
    assert all(hit["weak"] is True for hit in hits)


def test_the_first_question_after_a_change_of_the_table_of_vectors_is_answered_by_meaning(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.remember("The invoices are mailed by the billing worker at night")
    monkeypatch.setattr(load_embedding_table(), "model", "the next one")
    assert sandbox.texts("recall", query="sending letters to customers")


def test_what_is_out_of_sight_never_answers(sandbox: Sandbox) -> None:
    old = sandbox.remember("The walrus port is 8080")
    sandbox.ask("correct", id=old.id, text="The walrus harbour is closed")
    sandbox.remember("The walrus expires", ttl_days=1)
    gone = sandbox.remember("The walrus is forgotten")
    sandbox.ask("forget", ids=[gone.id])
    sandbox.remember("The walrus is private", sensitivity="private")
    sandbox.ms += 2 * DAY
    assert sandbox.texts("recall", query="walrus", limit=50) == ["The walrus harbour is closed"]
    assert sandbox.texts() == ["The walrus harbour is closed"]


def accesses(sandbox: Sandbox, id: str) -> int:
    """As a listing says it, which counts as no access itself."""
    page: Page[Stored] = sandbox.ask("list")
    return next(stored.standing.access_count for stored in page.items if stored.memory.id == id)


def test_what_is_handed_out_or_opened_is_accessed_and_probes_are_not(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Alembic runs the migrations")
    for name in ("list", "graph", "stats", "doctor", "verify", "export"):
        sandbox.ask(name)
    sandbox.ask("blame", id=memory.id)
    assert accesses(sandbox, memory.id) == 0
    sandbox.ask("recall", query="alembic migrations", session="s-1")
    assert accesses(sandbox, memory.id) == 1
    sandbox.ask("show", id=memory.id)
    assert accesses(sandbox, memory.id) == 2
    sandbox.ask("recall", query="alembic migrations", at=sandbox.now)
    sandbox.ask("recall", query="nothing of this sort")
    assert accesses(sandbox, memory.id) == 2
    shown = sandbox.json("list")["memories"][0]
    assert (shown["last_session"], shown["last_accessed"][:10]) == ("s-1", "2026-03-01")
    assert shown["updated_at"] == shown["created_at"]
