"""What the store finds for a question, before it is put in order."""

from __future__ import annotations

import pytest

from limpet.lean.record import replace
from limpet.operations.parameters import build_query
from limpet.recall import pool
from limpet.recall.coverage import Coverage
from limpet.recall.pool import Pool, find_pool
from limpet.store.view import open as opening
from limpet.text.lexicon import parse_terms
from tests.operations.sandbox import Sandbox
from tests.recall.searching import LEAK, MIGRATIONS, PORT


def find(sandbox: Sandbox, question: str, *, is_asked: bool = True) -> tuple[Pool | None, list[str]]:
    """Return the pool of a question, and the texts of the memories that were read, best first."""
    with sandbox.open() as runtime:
        query = replace(build_query(runtime, text=question, limit=8), weak=is_asked)
        reading = runtime.reading()
        covered = Coverage(query, parse_terms(query.text), reading)
        found = find_pool(query, covered, reading=reading)
    return found, [covered.memories[key].memory.content for key in (found.shares if found else ())]


@pytest.mark.parametrize(("is_asked", "most", "is_found"), [(False, 10, True), (False, 1, False), (True, 1, True)])
def test_a_prompt_is_compared_with_the_newest_and_a_question_with_all(
    filled: Sandbox, monkeypatch: pytest.MonkeyPatch, *, is_asked: bool, most: int, is_found: bool
) -> None:
    filled.remember("The garden is watered on Sundays")
    monkeypatch.setattr(pool, "_COMPARED_UNASKED", most)
    _, texts = find(filled, "background jobs eat RAM", is_asked=is_asked)
    assert (LEAK in texts) is is_found


@pytest.mark.parametrize(("is_asked", "read"), [(True, 20), (False, 24)])
def test_fewer_memories_are_read_for_a_question_whose_order_is_fitted(
    sandbox: Sandbox, *, is_asked: bool, read: int
) -> None:
    for number in range(30):
        sandbox.remember(f"The cache of service {number} expires after {number} minutes")
    found, texts = find(sandbox, "when does the cache of a service expire", is_asked=is_asked)
    assert found is not None
    assert (found.is_fitted, found.size, len(texts)) == (is_asked, read, read)
    assert len(found.scores) == 30


def test_without_vectors_words_alone_count(filled: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "load_vectors", lambda connection: False)
    found, texts = find(filled, "which port does the api listen on")
    assert found is not None
    assert texts[0] == PORT
    assert (found.near, found.is_fitted, found.best_coverage) == ({}, False, 1.0)
    assert find(filled, "kubernetes ingress annotations") == (None, [])


def test_a_memory_counts_more_if_those_of_its_session_match(sandbox: Sandbox) -> None:
    for session, text in (("one", "Yes, at night"), ("one", MIGRATIONS), ("two", "Yes, on a Monday"), ("two", PORT)):
        sandbox.remember(text, session=session)
    found, texts = find(sandbox, "when are the migrations run with alembic upgrade head")
    assert found is not None
    raised = {text: found.scores[key] - found.own[key] for key, text in zip(found.shares, texts, strict=True)}
    assert raised["Yes, at night"] > raised["Yes, on a Monday"]
