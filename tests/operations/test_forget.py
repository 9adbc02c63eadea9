"""Forgetting hides memories, one by one or by their source."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from limpet.model.change import Status
from limpet.model.memory import Memory
from tests.operations.sandbox import MODEL, Sandbox

READS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list", {}),
    ("list", {"private": True}),
    ("recall", {"query": "the zebra crossing"}),
    ("recall", {"query": "zebra", "private": True}),
)


def hidden(sandbox: Sandbox, text: str) -> bool:
    shown = [found for name, values in READS for found in sandbox.texts(name, **values)]
    graph = [node["title"] for node in sandbox.json("graph")["nodes"]]
    timeline = str(sandbox.json("timeline"))
    return text not in (*shown, *graph) and text not in timeline and text not in str(sandbox.json("export"))


def test_a_forgotten_memory_is_out_of_sight_everywhere_and_still_there(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The zebra crossing is white")
    answer = sandbox.ask("forget", ids=[memory.id], reason="painted over")
    assert [stored.status for stored in answer.memories] == [Status.FORGOTTEN]
    assert hidden(sandbox, "The zebra crossing is white")
    assert sandbox.texts(forgotten=True) == ["The zebra crossing is white"]
    assert sandbox.ask("show", id=memory.id).stored.status is Status.FORGOTTEN
    assert sandbox.json("blame", id=memory.id)["changes"][-1]["details"] == {"reason": "painted over"}


def test_forgetting_twice_writes_once(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The zebra crossing is white")
    sandbox.ask("forget", ids=[memory.id, memory.id])
    before = sandbox.journal()
    sandbox.ask("forget", ids=[memory.id])
    assert sandbox.journal() == before


def test_a_dry_run_forgets_nothing(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The zebra crossing is white")
    before = sandbox.journal()
    answer = sandbox.ask("forget", ids=[memory.id], dry_run=True)
    assert [stored.memory.id for stored in answer.memories] == [memory.id]
    assert not answer.done
    assert sandbox.journal() == before


@pytest.mark.parametrize("values", [{}, {"ids": []}, {"ids": ["0"], "source": "session:s"}, {"source": ""}])
def test_forget_takes_either_ids_or_a_source(sandbox: Sandbox, values: dict[str, object]) -> None:
    for name in ("forget", "purge"):
        with pytest.raises(UsageError, match="say what to"):
            sandbox.ask(name, **values, **({"yes": True} if name == "purge" else {}))


@pytest.mark.parametrize("source", ["session", "session:", "nothing:x", "origin", ":", "origin:nobody", "sql:' OR 1"])
def test_an_unknown_source_is_refused(sandbox: Sandbox, source: str) -> None:
    for name in ("forget", "purge"):
        with pytest.raises(UsageError, match=r"session:ID, file:PATH or origin:NAME|they are user"):
            sandbox.ask(name, source=source, **({"yes": True} if name == "purge" else {}))


def stored_from_everywhere(sandbox: Sandbox) -> dict[str, Memory]:
    (sandbox.project / "src").mkdir()
    (sandbox.project / "src" / "app.py").write_text("x = 1\n")
    return {
        "session": sandbox.remember("Said in the second session", session="s-2"),
        "other session": sandbox.remember("Said in the third session", session="s-3"),
        "file": sandbox.remember("The cause was in src/app.py"),
        "web": sandbox.remember("Read on a page", origin="external"),
        "private": sandbox.remember("Kept from a page", origin="external", sensitivity="private"),
    }


@pytest.mark.parametrize(
    ("source", "gone"),
    [
        ("session:s-2", ["session"]),
        ("file:src/app.py", ["file"]),
        ("file:app.py", ["file"]),
        ("origin:external", ["web", "private"]),
        ("session:s-9", []),
        ("file:pp.py", []),
    ],
)
def test_everything_from_a_source_can_be_forgotten_at_once(sandbox: Sandbox, source: str, gone: list[str]) -> None:
    stored = stored_from_everywhere(sandbox)
    shown = sandbox.ask("forget", source=source, dry_run=True)
    assert {each.memory.id for each in shown.memories} == {stored[name].id for name in gone}
    assert len(sandbox.texts(private=True)) == 5
    sandbox.ask("forget", source=source)
    left = {stored[name].content for name in stored if name not in gone}
    assert set(sandbox.texts(private=True)) == left
    for name in gone:
        sandbox.ask("restore", id=stored[name].id)
    assert len(sandbox.texts(private=True)) == 5


def test_forgetting_by_source_stays_in_the_project(sandbox: Sandbox) -> None:
    sandbox.remember("Read on a page", origin="external")
    sandbox.remember("Read on a page elsewhere", origin="external", cwd=sandbox.folder)
    sandbox.ask("forget", source="origin:external")
    assert sandbox.texts(cwd=sandbox.folder) == ["Read on a page elsewhere"]
    sandbox.ask("forget", source="origin:external", all_projects=True)
    assert sandbox.texts(cwd=sandbox.folder) == []


def test_rolling_back_a_session_leaves_what_others_said_before(sandbox: Sandbox) -> None:
    first = sandbox.remember("The port is 8080")
    sandbox.ask("correct", id=first.id, text="The port is 6666", session="bad", as_=MODEL)
    sandbox.ask("forget", source="session:bad")
    assert sandbox.texts() == []
    assert sandbox.ask("show", id=first.id).stored.status is not Status.FORGOTTEN


def test_a_model_forgets_only_what_it_may_see(sandbox: Sandbox) -> None:
    secret = sandbox.remember("The gate code is kept by Ann", sensitivity="private", origin="external")
    sandbox.remember("Read on a page", origin="external")
    for dry_run in (True, False):
        answer = sandbox.json("forget", source="origin:external", dry_run=dry_run, as_=MODEL)
        assert "gate code" not in str(answer)
        with pytest.raises(Refused, match="shown to their owner only"):
            sandbox.ask("forget", ids=[secret.id], dry_run=dry_run, as_=MODEL)
    assert sandbox.texts(private=True) == ["The gate code is kept by Ann"]


def test_a_model_cannot_forget_all_that_the_user_has_said(sandbox: Sandbox) -> None:
    stored = stored_from_everywhere(sandbox)
    with pytest.raises(Refused, match="only a person can forget those by source"):
        sandbox.ask("forget", source="origin:user", as_=MODEL)
    assert len(sandbox.texts(private=True)) == 5
    sandbox.ask("forget", source="origin:external", as_=MODEL)
    assert stored["web"].content not in sandbox.texts(private=True)
