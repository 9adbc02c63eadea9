"""Projects, agents, sessions, accesses and caps."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Origin
from limpet.model.scope import Scope
from limpet.store.protocol import Store
from tests.model.making import PROJECT, START, admit, memory
from tests.store.acting import Clock, session
from tests.store.conftest import Opener

HERE = Scope(agent="anima", project=PROJECT)


def project(which: str, *keys: str, **payload: Any) -> Change:
    return Change(
        kind=ChangeKind.PROJECT, subject=f"prj_{which}", payload={"name": which, "keys": list(keys), **payload}
    )


def test_a_project_is_found_by_its_id_and_by_each_of_its_keys(store: Store) -> None:
    store.append([project("a", "git:host/a", "dir:/a"), project("b", "git:host/b")])
    reading = store.reading()
    for key in ("prj_a", "git:host/a", "dir:/a"):
        found = reading.project(key)
        assert found is not None
        assert (found.id, found.name, found.keys) == ("prj_a", "a", ("dir:/a", "git:host/a"))
    assert reading.project("dir:/b") is None
    assert [each.id for each in reading.projects()] == ["prj_a", "prj_b"]


def test_a_project_learns_keys_and_takes_its_last_name(store: Store) -> None:
    store.append([project("a", "dir:/old")])
    store.append([project("a", "dir:/new", name="moved", agent="bo")])
    found = store.reading().project("dir:/old")
    assert found is not None
    assert (found.name, found.agent, set(found.keys)) == ("moved", "bo", {"dir:/old", "dir:/new"})


def test_who_claims_a_key_first_keeps_it(store: Store) -> None:
    store.append([project("a", "git:x"), project("b", "git:x", "git:y")])
    store.append([project("b", "git:x")])
    reading = store.reading()
    owner, other = reading.project("git:x"), reading.project("git:y")
    assert owner is not None and owner.id == "prj_a"
    assert other is not None and (other.id, other.keys) == ("prj_b", ("git:y",))


def test_the_commits_of_a_project_are_those_of_its_sessions_folders_and_memories(store: Store, clock: Clock) -> None:
    store.append([Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": "Anima"})])
    for name in ("s1", "s2", "s3"):
        clock.forward()
        store.append([session(name, project="prj_a", commit=f"commit-{name}")])
    store.append([project("a", "dir:/a", commit="commit-of-a-folder"), project("b", "dir:/b", commit="commit-b")])
    store.append([session("s4", project="prj_b", commit="commit-b")])
    for number, origin in enumerate((Origin.USER, Origin.TOOL, Origin.IMPORT)):
        store.append([admit(memory(f"Said {number}", project="prj_a", origin=origin, commit=f"commit-{origin}"))])
    store.append([admit(memory("Said again", project="prj_a", commit="commit-s3"))])
    store.append([admit(memory("Said elsewhere", project="prj_b", commit="commit-b"))])
    found = store.reading().commits("prj_a", limit=20)
    assert found[:4] == ("commit-s3", "commit-s2", "commit-s1", "commit-of-a-folder")
    assert set(found[4:]) == {"commit-user", "commit-tool"}
    assert store.reading().commits("prj_a", limit=2) == ("commit-s3", "commit-s2")
    assert store.reading().commits("prj_c", limit=2) == ()


def test_agents_are_listed_as_they_were_first_seen(store: Store) -> None:
    store.append([Change(kind=ChangeKind.AGENT, subject="agent:zoe", payload={"name": "Zoe"})])
    store.append([Change(kind=ChangeKind.AGENT, subject="agent:bo", payload={"name": "Bo", "definition": "AGENT.md"})])
    store.append([Change(kind=ChangeKind.AGENT, subject="agent:zoe", payload={"key_id": "k1"})])
    reading = store.reading()
    assert [(each.id, each.name) for each in reading.agents()] == [("zoe", "Zoe"), ("bo", "Bo")]
    zoe, bo = reading.agent("zoe"), reading.agent("bo")
    assert zoe is not None and zoe.key_id == "k1"
    assert bo is not None and bo.definition == "AGENT.md"
    assert reading.agent("nobody") is None


def test_sessions_have_a_running_number_in_their_project(opener: Opener) -> None:
    store = opener.open()
    for name, place in (("a1", "prj_a"), ("b1", "prj_b"), ("a2", "prj_a"), ("n1", None), ("a3", "prj_a"), ("n2", None)):
        opener.clock.forward()
        store.append([session(name, **({"project": place} if place else {}))])
    opener.clock.forward()
    store.append([session("a1", successes=1)])
    reading = store.reading()
    numbers = {}
    for name in ("a1", "a2", "a3", "b1", "n1", "n2"):
        found = reading.session(name)
        assert found is not None
        numbers[name] = found.number
    assert numbers == {"a1": 1, "a2": 2, "a3": 3, "b1": 1, "n1": 1, "n2": 2}
    assert reading.session("unknown") is None
    assert reading.last_session("prj_a", besides=None) == "a3"
    assert reading.last_session("prj_a", besides="a3") == "a2"
    assert reading.last_session("prj_b", besides="b1") is None
    assert reading.last_session(None, besides=None) == "n2"


def test_a_session_is_read_back_as_it_was_counted(store: Store, clock: Clock) -> None:
    store.append([session("s", project=PROJECT, branch="main", transcript="t.jsonl", successes=2, tokens=10)])
    clock.forward(60_000)
    store.append([session("s", failures=3, tokens=5, compacted=True, commit="abc")])
    found = store.reading().session("s")
    assert found is not None
    assert (found.agent, found.project, found.number) == ("anima", PROJECT, 1)
    assert (found.successes, found.failures, found.tokens, found.compactions) == (2, 3, 15, 1)
    assert (found.branch, found.commit, found.transcript) == ("main", "abc", "t.jsonl")
    assert (found.started_at, found.last_seen) == (START, START + timedelta(minutes=1))
    store.append([session("s", compacted=2), session("t", project=PROJECT, compacted=1), session("u", compacted=1)])
    assert [store.reading().count_compactions(each) for each in (PROJECT, None, "prj_none")] == [4, 1, 0]


@pytest.mark.parametrize("scope", [HERE, Scope(agent="anima"), Scope(agent="other"), Scope(agent="anima", app="notes")])
def test_counts_of_sessions_are_those_of_the_scope(store: Store, scope: Scope) -> None:
    store.append([session("s1", project=PROJECT), session("s2", project="prj_elsewhere"), session("s3", agent="other")])
    expected = {HERE: 1, Scope(agent="anima"): 2, Scope(agent="other"): 1, Scope(agent="anima", app="notes"): 0}
    assert store.reading().counts(scope, START)["sessions"] == expected[scope]
