"""A rating changes how a memory is told, and a model cannot raise what others said."""

from __future__ import annotations

import pytest

from limpet.errors import Refused
from tests.inject.injecting import inject
from tests.operations.sandbox import MODEL, Sandbox


@pytest.mark.parametrize("says", ["wrong", "stale", "never"])
def test_what_is_rated_badly_is_not_told_at_a_start(sandbox: Sandbox, says: str) -> None:
    memory = sandbox.remember("Migrations run with alembic", impact="HIGH")
    assert "alembic" in inject(sandbox)
    answer = sandbox.json("feedback", id=memory.id, says=says)
    assert (answer["feedback"], bool(answer["effect"])) == (says, True)
    assert "alembic" not in inject(sandbox, session="s2")
    assert sandbox.texts("recall", query="alembic migrations") == ["Migrations run with alembic"]


def test_a_useful_memory_is_stronger(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic")
    before = sandbox.json("show", id=memory.id)["memory"]["strength"]
    assert sandbox.json("feedback", id=memory.id, says="useful")["memory"]["strength"] > before


def test_a_model_cannot_call_foreign_words_useful(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Read on a page", origin="external")
    with pytest.raises(Refused, match="ask the user to confirm"):
        sandbox.ask("feedback", id=memory.id, says="useful", as_=MODEL)


def test_an_old_version_is_rated_by_its_newest_one(sandbox: Sandbox) -> None:
    first = sandbox.remember("The port is 8080")
    second = sandbox.ask("correct", id=first.id, text="The port is 9090").memory
    assert sandbox.json("feedback", id=first.id, says="useful")["memory"]["id"] == second.id
