"""Blame tells who changed a memory, when, and from where."""

from __future__ import annotations

from tests.operations.sandbox import MODEL, Sandbox, git_folder

TEXT = "Migrations run with alembic"


def test_blame_tells_who_changed_what_and_when(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="tide", born="x")
    first = sandbox.remember(TEXT, session="s-1", as_=MODEL)
    second = sandbox.ask("correct", id=first.id, text="Migrations run with liquibase").memory
    sandbox.ask("pin", id=second.id)
    sandbox.ask("forget", ids=[second.id], reason="wrong project")
    found = sandbox.json("blame", id=first.id)
    assert (found["id"], found["origin"], found["session"], found["branch"]) == (first.id, "agent", "s-1", "tide")
    assert [(change["verb"], change["actor"]) for change in found["changes"]] == [
        ("admit", "agent:anima"),
        ("correct", "user:anima"),
        ("pin", "user:anima"),
        ("forget", "user:anima"),
        ("forget", "user:anima"),
    ]
    assert found["changes"][0]["at"].startswith("2026-03-01T12:00:01")
    assert len({change["device"] for change in found["changes"]}) == 1
    assert TEXT not in str(found["changes"])
