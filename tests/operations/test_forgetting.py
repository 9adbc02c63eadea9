"""Forgetting puts out of sight, alone or by source; purging erases for good, and only a person can ask for it."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from limpet.model.change import Status
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted
from limpet.operations.remember import run_many
from limpet.runtime import Caller
from tests.operations.desk import MODEL, PROGRAM, USER, Desk

READS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list", {}),
    ("list", {"private": True}),
    ("recall", {"query": "the zebra crossing"}),
    ("recall", {"query": "zebra", "private": True}),
)


def hidden(desk: Desk, text: str) -> bool:
    shown = [found for name, values in READS for found in desk.texts(name, **values)]
    graph = [node["title"] for node in desk.json("graph")["nodes"]]
    timeline = str(desk.json("timeline"))
    return text not in (*shown, *graph) and text not in timeline and text not in str(desk.json("export"))


def test_a_forgotten_memory_is_out_of_sight_everywhere_and_still_there(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    answer = desk.ask("forget", ids=[memory.id], reason="painted over")
    assert [stored.status for stored in answer.memories] == [Status.FORGOTTEN]
    assert hidden(desk, "The zebra crossing is white")
    assert desk.texts(forgotten=True) == ["The zebra crossing is white"]
    assert desk.ask("show", id=memory.id).stored.status is Status.FORGOTTEN
    assert desk.json("blame", id=memory.id)["changes"][-1]["details"] == {"reason": "painted over"}


def test_forgetting_twice_writes_once(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    desk.ask("forget", ids=[memory.id, memory.id])
    before = desk.journal()
    desk.ask("forget", ids=[memory.id])
    assert desk.journal() == before


def test_a_dry_run_forgets_nothing(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    before = desk.journal()
    answer = desk.ask("forget", ids=[memory.id], dry_run=True)
    assert [stored.memory.id for stored in answer.memories] == [memory.id]
    assert not answer.done
    assert desk.journal() == before


@pytest.mark.parametrize("values", [{}, {"ids": []}, {"ids": ["0"], "source": "session:s"}, {"source": ""}])
def test_what_to_forget_must_be_said_in_one_way(desk: Desk, values: dict[str, object]) -> None:
    for name in ("forget", "purge"):
        with pytest.raises(UsageError, match="say what to"):
            desk.ask(name, **values, **({"yes": True} if name == "purge" else {}))


@pytest.mark.parametrize("source", ["session", "session:", "nothing:x", "origin", ":", "origin:nobody", "sql:' OR 1"])
def test_a_source_that_is_none_is_said_so(desk: Desk, source: str) -> None:
    for name in ("forget", "purge"):
        with pytest.raises(UsageError, match=r"session:ID, file:PATH or origin:NAME|they are user"):
            desk.ask(name, source=source, **({"yes": True} if name == "purge" else {}))


def stored_from_everywhere(desk: Desk) -> dict[str, Memory]:
    (desk.project / "src").mkdir()
    (desk.project / "src" / "app.py").write_text("x = 1\n")
    return {
        "session": desk.remember("Said in the second session", session="s-2"),
        "other session": desk.remember("Said in the third session", session="s-3"),
        "file": desk.remember("The cause was in src/app.py"),
        "web": desk.remember("Read on a page", origin="external"),
        "private": desk.remember("Kept from a page", origin="external", sensitivity="private"),
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
def test_everything_from_a_source_can_be_forgotten_at_once(desk: Desk, source: str, gone: list[str]) -> None:
    stored = stored_from_everywhere(desk)
    shown = desk.ask("forget", source=source, dry_run=True)
    assert {each.memory.id for each in shown.memories} == {stored[name].id for name in gone}
    assert len(desk.texts(private=True)) == 5
    desk.ask("forget", source=source)
    left = {stored[name].content for name in stored if name not in gone}
    assert set(desk.texts(private=True)) == left
    for name in gone:
        desk.ask("restore", id=stored[name].id)
    assert len(desk.texts(private=True)) == 5


def test_forgetting_by_source_stays_in_the_project(desk: Desk) -> None:
    desk.remember("Read on a page", origin="external")
    desk.remember("Read on a page elsewhere", origin="external", cwd=desk.folder)
    desk.ask("forget", source="origin:external")
    assert desk.texts(cwd=desk.folder) == ["Read on a page elsewhere"]
    desk.ask("forget", source="origin:external", all_projects=True)
    assert desk.texts(cwd=desk.folder) == []


def test_rolling_back_a_session_leaves_what_others_said_before(desk: Desk) -> None:
    first = desk.remember("The port is 8080")
    desk.ask("correct", id=first.id, text="The port is 6666", session="bad", as_=MODEL)
    desk.ask("forget", source="session:bad")
    assert desk.texts() == []
    assert desk.ask("show", id=first.id).stored.status is not Status.FORGOTTEN


def test_a_model_forgets_only_what_it_may_see(desk: Desk) -> None:
    secret = desk.remember("The gate code is kept by Ann", sensitivity="private", origin="external")
    desk.remember("Read on a page", origin="external")
    for dry_run in (True, False):
        answer = desk.json("forget", source="origin:external", dry_run=dry_run, as_=MODEL)
        assert "gate code" not in str(answer)
        with pytest.raises(Refused, match="shown to their owner only"):
            desk.ask("forget", ids=[secret.id], dry_run=dry_run, as_=MODEL)
    assert desk.texts(private=True) == ["The gate code is kept by Ann"]


# Purging


def test_purging_leaves_no_byte_in_any_file(desk: Desk) -> None:
    keep = desk.remember("The harbour light is green")
    memory = desk.remember("The zebra crossing is white", title="Quagga", tags=["okapi"], files=["giraffe.py"])
    desk.ask("correct", id=memory.id, text="The zebra crossing is yellow", title="Onager")
    desk.ask("forget", ids=[memory.id], reason="painted by a tapir")
    desk.ask("restore", id=memory.id)
    with desk.open() as runtime:
        runtime.store.backup()
    desk.ask("doctor", fix=True)
    desk.ask("purge", ids=[memory.id])
    for word in ("zebra", "quagga", "Quagga", "okapi", "giraffe", "onager", "Onager", "tapir", "yellow"):
        assert desk.files_with(word) == [], word
    assert desk.texts() == [keep.content]
    assert desk.ask("verify").problems == ()
    assert desk.ask("doctor").problems == []


def test_purging_any_version_purges_all_of_them(desk: Desk) -> None:
    first = desk.remember("The zebra crossing is white")
    second = desk.ask("correct", id=first.id, text="The zebra crossing is yellow").memory
    third = desk.ask("correct", id=first.id, text="The zebra crossing is gone").memory
    answer = desk.ask("purge", ids=[second.id])
    assert set(answer.ids) == {first.id, second.id, third.id}
    assert desk.files_with("zebra") == []


def test_what_was_made_of_a_purged_memory_goes_with_it(desk: Desk) -> None:
    source = desk.remember("The zebra crossing is white")
    with desk.open() as runtime:
        outcome = run_many(
            runtime, [Draft(text="Both crossings are like a zebra", origin=Origin.USER, sources=(source,))]
        )[0]
    assert isinstance(outcome, Admitted)
    answer = desk.ask("purge", ids=[source.id])
    assert set(answer.ids) == {source.id, outcome.memory.id}
    assert desk.files_with("zebra") == []


def test_facts_that_rest_on_nothing_else_go_too(desk: Desk) -> None:
    first, second = desk.remember("The zebra crossing is white"), desk.remember("The harbour light is green")
    alone = desk.ask("facts", action="add", words=["crossing", "like", "zebra"], sources=[first.id]).facts[0]
    shared = desk.ask("facts", action="add", words=["town", "has", "light"], sources=[first.id, second.id]).facts[0]
    answer = desk.ask("purge", ids=[first.id])
    assert answer.facts == (alone.id,)
    assert [fact.id for fact in desk.ask("facts").facts] == [shared.id]
    assert desk.files_with("zebra") == []


def test_a_purge_can_be_tried_first(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    before = desk.journal()
    answer = desk.ask("purge", ids=[memory.id], dry_run=True)
    assert (answer.ids, answer.done) == ((memory.id,), False)
    assert desk.journal() == before


def test_a_source_can_be_purged(desk: Desk) -> None:
    desk.remember("Read about a zebra", origin="external", session="s-1")
    desk.remember("The harbour light is green")
    desk.ask("purge", source="session:s-1")
    assert desk.files_with("zebra") == []
    assert desk.texts() == ["The harbour light is green"]


@pytest.mark.parametrize("values", [{}, {"yes": True}, {"dry_run": True}])
def test_no_model_can_purge_nor_see_what_it_would_purge(desk: Desk, values: dict[str, object]) -> None:
    memory = desk.remember("The zebra crossing is white")
    with pytest.raises(Refused, match="only a person can purge memories"):
        desk.ask("purge", ids=[memory.id], as_=MODEL, **values)
    assert desk.texts() == ["The zebra crossing is white"]


def test_without_a_terminal_a_purge_must_be_said_with_yes(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    with pytest.raises(Refused, match="add --yes"):
        desk.ask("purge", ids=[memory.id], as_=PROGRAM)
    desk.ask("purge", ids=[memory.id], as_=PROGRAM, yes=True)
    assert desk.files_with("zebra") == []


def test_of_a_purged_memory_only_its_owner_sees_that_it_was(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    desk.ask("purge", ids=[memory.id])
    blame = desk.json("blame", id=memory.id)
    assert [change["verb"] for change in blame["changes"]] == ["admit", "purge"]
    assert "zebra" not in str(blame)
    strangers: tuple[tuple[Caller, str | None], ...] = ((MODEL, None), (USER, "Other"))
    for caller, agent in strangers:
        with pytest.raises(UsageError, match="no memory here has the id"):
            desk.ask("blame", id=memory.id, as_=caller, by=agent)


def test_a_purged_text_may_be_stored_again_as_something_new(desk: Desk) -> None:
    memory = desk.remember("The zebra crossing is white")
    desk.ask("purge", ids=[memory.id])
    assert desk.remember("The zebra crossing is white").id != memory.id
