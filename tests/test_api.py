"""The verbs as methods: `from limpet import Limpet`."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import limpet
from limpet import Admitted, Draft, Duplicate, Limpet, LimpetError, Rejected
from limpet.errors import Refused, UsageError
from limpet.model.change import Status
from limpet.model.memory import Impact, Kind, Origin
from limpet.operations.catalogue import CATALOGUE, load_verb
from tests.operations.sandbox import give_code, isolate_environment


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    isolate_environment(monkeypatch, tmp_path)
    folder = Path(os.path.realpath(tmp_path)) / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def memory(place: Path) -> Iterator[Limpet]:
    with Limpet(home=str(place.parent / "home")) as opened:
        yield opened


def stored(memory: Limpet, text: str, **fields: Any) -> limpet.Memory:
    outcome = memory.remember(text, **fields)
    assert isinstance(outcome, Admitted), outcome
    return outcome.memory


def test_everything_public_can_be_imported_and_costs_nothing_before() -> None:
    assert all(getattr(limpet, name) for name in limpet.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = limpet.nothing
    code = "import sys, limpet; print(any(name.startswith('limpet.') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_program_is_an_agent_and_can_claim_no_more(memory: Limpet) -> None:
    assert stored(memory, "Migrations run with alembic").origin is Origin.AGENT
    with pytest.raises(Refused, match="cannot be claimed"):
        memory.remember("Said by a user", origin="user")
    outcome = memory.remember_many([Draft(text="Said by a user", origin=Origin.USER)])[0]
    assert isinstance(outcome, Admitted) and outcome.memory.origin is Origin.AGENT
    foreign = memory.remember_many([Draft(text="Read on a page", origin=Origin.EXTERNAL)])[0]
    assert isinstance(foreign, Admitted) and foreign.memory.origin is Origin.EXTERNAL


def test_inside_an_agent_a_program_may_do_no_more_than_the_agent(
    memory: Limpet, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = stored(memory, "For the owner", sensitivity="private")
    monkeypatch.setenv("CLAUDECODE", "1")
    with Limpet(home=str(place.parent / "home")) as inside:
        for refused in (
            lambda: inside.list(private=True),
            lambda: inside.get(secret.id),
            lambda: inside.purge(secret.id, yes=True),
            lambda: inside.confirm(secret.id, yes=True),
            lambda: inside.sign(yes=True),
            lambda: inside.config("recall.limit", "3"),
            lambda: inside.list(all_projects=True),
        ):
            with pytest.raises(Refused):
                refused()


def test_outcomes_are_values(memory: Limpet) -> None:
    assert isinstance(memory.remember("Migrations run with alembic"), Admitted)
    assert isinstance(memory.remember("Migrations run with alembic"), Duplicate)
    assert isinstance(memory.remember(""), Rejected)


def test_fields_take_words_or_enums(memory: Limpet) -> None:
    first = stored(memory, "One thing", kind="learnings", impact=Impact.HIGH, tags=["a"], files="x.py")
    assert (first.kind, first.impact, first.tags, first.files_read) == (Kind.LEARNINGS, Impact.HIGH, ("a",), ("x.py",))
    with pytest.raises(UsageError, match="choose from"):
        memory.remember("Another", kind="nothing")
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        memory.remember("Another", colour="red")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="give a text"):
        memory.remember(5)  # type: ignore[arg-type]


def test_every_verb_is_a_method(memory: Limpet, place: Path) -> None:
    code = partial(give_code, place.parent / "home")
    first = stored(memory, "The default port of the API is 8080")
    assert memory.get(first.id[:14]) == first
    assert memory.show(first.id).stored.memory == first
    assert [hit.memory.id for hit in memory.recall("default port").items] == [first.id]
    assert memory.recall("default port", limit=1, kind=first.kind).total == 1
    better = memory.correct(first.id, "The default port of the API is 9090", impact="HIGH")
    assert isinstance(better, Admitted) and better.memory.version == 2
    assert memory.list(all=True).total == 2
    assert memory.timeline().total == 1
    assert memory.related(better.memory.id).total >= 0
    assert memory.pin(better.memory.id).memory.pinned
    assert not memory.pin(better.memory.id, off=True).memory.pinned
    assert memory.facts("add", "api", "port", "9090").added
    assert memory.facts("query", "api").total == memory.facts().total == 1
    assert memory.graph().total == 2
    assert memory.stats().counts["status"] == {"live": 1, "superseded": 1}
    assert [change.kind for change in memory.blame(first.id).changes][:2] == ["admit", "correct"]
    assert memory.forget(first.id, reason="wrong", dry_run=True).done is False
    assert memory.forget(first.id).memories[0].status is Status.FORGOTTEN
    assert memory.restore(first.id, code=code("restore")).stored.status is Status.SUPERSEDED
    assert memory.confirm(better.memory.id, code=code("confirm")).memories[0].memory.confirmed
    assert memory.sign(code=code("sign")).signed == 2
    assert memory.verify().problems == ()
    assert memory.doctor().problems == []
    assert memory.export(str(place / "out.jsonl"), all=True).memories == 2
    assert memory.import_(str(place / "out.jsonl"), merge=True).present == 3
    assert memory.config("recall.limit").settings[0].value == 5
    assert set(memory.purge(first.id, code=code("purge")).ids) == {first.id, better.memory.id}
    assert memory.list(all=True).total == 0
    assert memory.notices == []


def test_a_memory_is_moved_to_another_region(memory: Limpet) -> None:
    first = memory.remember("We use tabs", region="AGENT")
    assert isinstance(first, Admitted)
    moved = memory.correct(first.memory.id, region="PROJECT")
    assert isinstance(moved, Admitted)
    assert (moved.memory.region, moved.memory.content) == ("PROJECT", "We use tabs")


def test_many_are_kept_with_one_sync(memory: Limpet, monkeypatch: pytest.MonkeyPatch) -> None:
    from limpet import system

    memory.remember("The first introduces the agent")
    synced: list[int] = []
    real = system.sync_data

    def counting(fd: int) -> None:
        synced.append(fd)
        real(fd)

    monkeypatch.setattr(system, "sync_data", counting)
    outcomes = memory.remember_many([f"Thing number {number}" for number in range(50)])
    assert all(isinstance(outcome, Admitted) for outcome in outcomes)
    assert len(synced) == 1
    assert memory.remember_many([]) == ()
    assert memory.list(limit=100).total == 51


def test_agent_project_home_and_session_can_be_given(place: Path) -> None:
    home = str(place.parent / "home")
    with Limpet(home, "Crab", session="s-1") as one:
        first = stored(one, "Kept by the crab", region="PROJECT")
        assert (first.agent, first.session) == ("crab", "s-1")
    with Limpet(home, agent="Crab", project="shop", cwd=str(place.parent)) as two:
        assert two.list().total == 1
    with Limpet(home) as three:
        assert three.list().total == 0
    with Limpet(home, project="nothing") as four, pytest.raises(LimpetError, match="no project is called"):
        four.list()


def test_the_home_is_that_of_the_settings_unless_given(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_HOME", str(place.parent / "elsewhere"))
    with Limpet() as opened:
        opened.remember("Migrations run with alembic")
    assert (place.parent / "elsewhere" / "journal").is_dir()


def test_naive_moments_are_utc(memory: Limpet) -> None:
    memory.remember("Migrations run with alembic")
    assert memory.list(since=datetime(2020, 1, 1)).total == 1
    assert memory.list(until=datetime(2020, 1, 1, tzinfo=UTC)).total == 0
    assert memory.list(since="2020-01-01").total == 1


def test_two_open_at_once_see_each_other(place: Path) -> None:
    home = str(place.parent / "home")
    with Limpet(home) as one, Limpet(home) as two:
        first = stored(one, "Written by the first")
        assert two.get(first.id) == first
        two.forget(first.id)
        assert one.list().total == 0


def test_threads_may_share_one(memory: Limpet) -> None:
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(10):
                stored(memory, f"Thread {name} says {number}")
                memory.recall(f"thread {name} says", limit=3)
                memory.list()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert memory.list(limit=100).total == 40
    assert memory.verify().problems == ()


def test_closing_twice_does_no_harm(place: Path) -> None:
    opened = Limpet(home=str(place.parent / "home"))
    opened.remember("Migrations run with alembic")
    opened.close()
    opened.close()


_HOSTILE = (None, 5, -(10**5000), float("nan"), b"x", {"a": 1}, [None], object(), "", "a\0b", "a\ud800b", "x" * 100_000)


@pytest.mark.parametrize("name", [each.name for each in CATALOGUE if each.name != "demo"])
def test_no_value_of_a_parameter_breaks_a_verb_or_is_repeated_at_length(memory: Limpet, name: str) -> None:
    verb = load_verb(name)
    needed = {
        each.name: each.allowed_values[0] if each.allowed_values else "x" for each in verb.params if each.required
    }
    for param in verb.params:
        for value in _HOSTILE:
            try:
                memory._call(name, **{**needed, param.name: value})
            except LimpetError as error:
                assert len(str(error)) < 1_000 and str(error).isprintable(), (param.name, str(error)[:200])


@pytest.mark.parametrize(
    "name", [each.name for each in CATALOGUE if any(param.required for param in load_verb(each.name).params)]
)
def test_a_required_value_that_is_missing_is_named(memory: Limpet, name: str) -> None:
    required = [each for each in load_verb(name).params if each.required]
    for values in ({}, {each.name: None for each in required}):
        with pytest.raises(UsageError, match=f"^{required[0].label} is missing; give "):
            memory._call(name, **values)


@pytest.mark.parametrize("name", ["home", "agent", "project", "session", "cwd"])
@pytest.mark.parametrize("value", [5, b"x", [], object()])
def test_what_is_opened_is_named_by_texts(place: Path, name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"^{name} is .*; give a text$"):
        Limpet(**{name: value})


@pytest.mark.parametrize("path", ["a\0b", "a\ud800b", "x" * 100_000])
def test_a_home_that_cannot_be_a_path_is_refused(path: str) -> None:
    with pytest.raises(LimpetError, match=r"^cannot use '.*set LIMPET_HOME$") as caught:
        Limpet(home=path)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 5, "one text", [None], [5], [Draft(text=5)], [Draft(text="x", kind="FOO")]])  # type: ignore[arg-type]
def test_many_takes_a_list_of_texts_and_drafts_only(memory: Limpet, value: Any) -> None:
    with pytest.raises(UsageError):
        memory.remember_many(value)
    assert memory.list().total == 0


def test_a_draft_may_name_its_choices_in_words(memory: Limpet) -> None:
    (outcome,) = memory.remember_many([Draft(text="Ports are in ports.toml", kind="learnings", confidence=0.5)])  # type: ignore[arg-type]
    assert isinstance(outcome, Admitted) and outcome.memory.kind is Kind.LEARNINGS
    assert outcome.memory.confidence == 0.5


@pytest.mark.parametrize("value", [None, 5, b"x"])
def test_only_a_text_is_an_id(memory: Limpet, value: Any) -> None:
    with pytest.raises(UsageError, match=r"^id is"):
        memory.get(value)


def test_a_text_that_is_stored_again_gets_what_is_said_of_it(memory: Limpet) -> None:
    first = memory.remember("Migrations run with alembic", impact="LOW")
    again = memory.remember("Migrations run with alembic", impact="HIGH", sensitivity="private")
    (many,) = memory.remember_many([Draft(text="Migrations run with alembic", confidence=0.5, origin=Origin.AGENT)])
    assert isinstance(first, Admitted) and isinstance(again, Duplicate) and isinstance(many, Duplicate)
    (shown,) = memory.list(private=True).items
    assert (shown.memory.id, shown.memory.impact, shown.memory.confidence) == (first.memory.id, Impact.HIGH, 0.5)
    assert memory.list().items == ()
