"""Projects, agents, sessions, accesses and caps."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.clock import DAY_MS
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Impact, Origin, Phase, Region
from limpet.model.query import Stored
from limpet.model.scope import Scope, token_of
from limpet.model.standing import priority
from limpet.store.protocol import Store
from tests.model.making import PROJECT, START, admit, condensed, memory, on
from tests.store.acting import Clock
from tests.store.conftest import Opener

HERE = Scope(agent="anima", project=PROJECT)


def project(which: str, *keys: str, **payload: Any) -> Change:
    return Change(
        kind=ChangeKind.PROJECT, subject=f"prj_{which}", payload={"name": which, "keys": list(keys), **payload}
    )


def session(name: str, **payload: Any) -> Change:
    return Change(kind=ChangeKind.SESSION, subject=f"session:{name}", payload={"agent": "anima", **payload})


def receipt(*ids: str, **payload: Any) -> Change:
    return Change(kind=ChangeKind.RECEIPT, subject="receipt:r", payload={"ids": list(ids), **payload})


def get_stored(store: Store, memory_id: str) -> Stored:
    found = store.reading().get(memory_id)
    assert found is not None
    return found


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
    assert (found.successes, found.failures, found.tokens, found.compacted) == (2, 3, 15, True)
    assert (found.branch, found.commit, found.transcript) == ("main", "abc", "t.jsonl")
    assert (found.started_at, found.last_seen) == (START, START + timedelta(minutes=1))


def test_receipts_count_accesses_and_remember_the_last_session(store: Store, clock: Clock) -> None:
    one, other = memory("one"), memory("other")
    store.append([admit(one), admit(other)])
    store.append([receipt(one.id, other.id, session="s1")], durable=False)
    clock.forward(5000)
    store.append([receipt(one.id, session="s2"), receipt(one.id)], durable=False)
    standing = get_stored(store, one.id).standing
    assert (standing.access_count, standing.last_session) == (3, "s2")
    assert standing.last_accessed == START + timedelta(milliseconds=5001)
    assert get_stored(store, other.id).standing.access_count == 1
    assert store.reading().counts(HERE, START)["accesses"] == 4


def test_an_injection_sets_the_last_access_only(store: Store) -> None:
    one = memory()
    store.append([admit(one)])
    store.append([receipt(one.id, session="s1", counts=False)], durable=False)
    standing = get_stored(store, one.id).standing
    assert (standing.access_count, standing.last_session) == (0, "s1")
    assert standing.last_accessed is not None


def test_sessions_since_the_last_access_are_counted(store: Store, clock: Clock) -> None:
    one = memory(session="s1")
    for name in ("s1", "s2", "s3"):
        clock.forward()
        store.append([session(name, project=PROJECT)])
    store.append([admit(one)])
    assert get_stored(store, one.id).standing.sessions_since == 2
    store.append([receipt(one.id, session="s2")], durable=False)
    assert get_stored(store, one.id).standing.sessions_since == 1
    store.append([receipt(one.id, session="s3")], durable=False)
    assert get_stored(store, one.id).standing.sessions_since == 0


def test_under_the_cap_nobody_steps_down(store: Store) -> None:
    many = [memory(f"number {number}") for number in range(5)]
    store.append([admit(each) for each in many])
    assert store.reading().over_cap(token_of(many[0]), "anima", 5) == ()
    assert len(store.reading().over_cap(token_of(many[0]), "anima", 4)) == 5


def test_over_the_cap_the_lowest_priority_comes_first(store: Store) -> None:
    many = [memory(f"number {number}", difficulty=round(0.9 - number / 10, 1)) for number in range(6)]
    store.append([admit(each) for each in many])
    store.append([receipt(many[5].id) for _ in range(10)], durable=False)
    listed = store.reading().over_cap(token_of(many[0]), "anima", 3)
    assert [stored.memory.id for stored in listed] == [each.id for each in (*reversed(many[:5]), many[5])]
    ranks = [priority(stored.memory, stored.standing) for stored in listed]
    assert ranks == sorted(ranks)


def test_critical_and_pinned_memories_count_but_never_step_down(store: Store) -> None:
    critical, pinned, plain = memory("a", impact=Impact.CRITICAL), memory("b", pinned=True), memory("c")
    late = memory("d")
    store.append([admit(each) for each in (critical, pinned, plain, late)])
    store.append([on(late, ChangeKind.PIN, pinned=True)])
    listed = store.reading().over_cap(token_of(plain), "anima", 1)
    assert [stored.memory.id for stored in listed] == [plain.id]


def test_caps_count_what_is_live_and_at_full_length_in_their_own_scope(store: Store) -> None:
    full, short, hidden = memory("full"), memory("short", phase=Phase.HINT), memory("hidden")
    condensed_later = memory("a text that was condensed")
    elsewhere, wide = memory("elsewhere", project="prj_elsewhere"), memory("wide", region=Region.AGENT)
    app, foreign = memory("app", app="notes"), memory("foreign", agent="other")
    every = (full, short, hidden, condensed_later, elsewhere, wide, app, foreign)
    store.append([admit(each) for each in every])
    store.append([on(hidden, ChangeKind.FORGET), condensed(condensed_later, "short", 1)])
    reading = store.reading()
    assert [each.memory.id for each in reading.over_cap(token_of(full), "anima", 0)] == [full.id]
    assert reading.over_cap(token_of(full), "anima", 1) == ()
    whole = {each.memory.id for each in reading.over_cap(None, "anima", 2)}
    assert whole == {full.id, elsewhere.id, wide.id}
    assert reading.over_cap(None, "anima", 3) == ()


@pytest.mark.parametrize("scope", [HERE, Scope(agent="anima"), Scope(agent="other"), Scope(agent="anima", app="notes")])
def test_counts_of_sessions_are_those_of_the_scope(store: Store, scope: Scope) -> None:
    store.append([session("s1", project=PROJECT), session("s2", project="prj_elsewhere"), session("s3", agent="other")])
    expected = {HERE: 1, Scope(agent="anima"): 2, Scope(agent="other"): 1, Scope(agent="anima", app="notes"): 0}
    assert store.reading().counts(scope, START)["sessions"] == expected[scope]


def test_active_days_since_the_last_use_are_counted(store: Store, clock: Clock) -> None:
    one = memory(session=None)
    store.append([admit(one)])
    assert get_stored(store, one.id).standing.idle_days == 0
    for number in range(3):
        clock.forward(DAY_MS)
        # Two sessions of one day are one day of work.
        store.append([session(f"d{number}", project=PROJECT), session(f"e{number}", project=PROJECT)])
    clock.forward(10 * DAY_MS)
    assert get_stored(store, one.id).standing.idle_days == 3
    assert get_stored(store, one.id).standing.sessions_since == 6
    store.append([receipt(one.id)], durable=False)
    assert get_stored(store, one.id).standing.idle_days == 0
    assert get_stored(store, one.id).standing.sessions_since == 0


def test_days_of_other_projects_and_days_without_a_session_do_not_count(store: Store, clock: Clock) -> None:
    one, of_agent = memory(), memory("goes with the agent", region=Region.AGENT, project=None)
    store.append([admit(one), admit(of_agent)])
    clock.forward(5 * DAY_MS)
    store.append([session("elsewhere", project="prj_" + "e" * 24)])
    assert get_stored(store, one.id).standing.idle_days == 0
    assert get_stored(store, of_agent.id).standing.idle_days == 1
