"""Why a memory was given, and where its words come from, can be asked by session and by memory."""

from __future__ import annotations

from limpet.model.receipt import Receipt
from tests.inject.injecting import inject
from tests.operations.sandbox import Sandbox


def test_an_injection_is_found_by_its_session_and_by_its_memory(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic", impact="HIGH")
    inject(sandbox, session="s1")
    for asked in ({"id": memory.id}, {"of_session": "s1"}, {}):
        (receipt,) = sandbox.json("why", **asked)["receipts"]
        assert (receipt["way"], receipt["session"]) == ("start", "s1")
        assert [each["id"] for each in receipt["memories"]] == [memory.id]
    assert sandbox.json("why", of_session="s2")["receipts"] == []


def test_what_was_asked_for_is_shown_on_request(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic")
    sandbox.ask("recall", query="alembic migrations")
    assert sandbox.json("why", id=memory.id)["receipts"] == []
    assert [each["way"] for each in sandbox.json("why", id=memory.id, asked=True)["receipts"]] == ["recall"]


def test_what_was_told_is_found_behind_many_questions(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic", impact="HIGH")
    inject(sandbox, session="s1")
    with sandbox.open() as runtime:
        for _ in range(30):
            runtime.note(Receipt(id="", way="recall", session="s2", ids=(memory.id,), counts=True))
    assert [each["way"] for each in sandbox.json("why", limit=1)["receipts"]] == ["start"]


def test_the_last_outcome_of_a_session_counts(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic", impact="HIGH")
    inject(sandbox, session="s1")
    with sandbox.open() as runtime:
        for outcome in ("ignored", "used"):
            runtime.note(Receipt(id="", way="outcome", session="s1", outcomes={memory.id: outcome}))
    (receipt,) = sandbox.json("why", of_session="s1")["receipts"]
    assert receipt["memories"][0]["outcome"] == "used"


def test_another_project_is_not_told_what_was_given_here(sandbox: Sandbox) -> None:
    sandbox.remember("Migrations run with alembic", impact="HIGH")
    inject(sandbox, session="s1")
    other = sandbox.folder / "other"
    other.mkdir()
    assert sandbox.json("why", cwd=other)["receipts"] == []
