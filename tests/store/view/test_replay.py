"""The state of any past moment is what the changes up to it make."""

from __future__ import annotations

import random

import pytest

from limpet.clock import from_ms
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.scope import Scope
from limpet.store.protocol import FactQuery, Store
from tests.model.making import PROJECT, START, admit, close, condensed, correction, fact, memory, on, state
from tests.store.acting import Actor, Clock, all_memories, everything, expected_states, find_ids

HERE = Scope(agent="anima", project=PROJECT)


@pytest.mark.parametrize("seed", range(4))
def test_every_past_moment_is_the_fold_of_the_changes_up_to_it(store: Store, clock: Clock, seed: int) -> None:
    chance = random.Random(seed)
    actor = Actor(store, clock, chance, purging=False)
    actor.act(90)
    last = actor.kept[-1].at
    moments = [change.at for change in chance.sample(actor.kept, 6)]
    for moment in (*moments, actor.kept[0].at, last):
        then = expected_states(change for change in actor.kept if change.at <= moment)
        found = all_memories(store.reading(moment))
        assert {name: (each.memory, each.status) for name, each in found.items()} == {
            name: (each.memory, each.status) for name, each in then.items()
        }
    assert all_memories(store.reading(last)) == all_memories(store.reading())


def test_before_anything_was_said_there_was_nothing(store: Store) -> None:
    store.append([admit(memory())])
    earlier = store.reading(from_ms(0))
    assert all_memories(earlier) == {}
    assert (earlier.agents(), earlier.projects()) == ((), ())


def test_a_moment_is_inclusive_to_the_millisecond(store: Store, clock: Clock) -> None:
    one = memory()
    (kept,) = store.append([admit(one)])
    assert store.reading(kept.at).get(one.id) is not None
    assert store.reading(from_ms(clock.ms - 1)).get(one.id) is None


def test_what_was_known_then_can_be_searched_then(store: Store, clock: Clock) -> None:
    old = memory("granite is grey")
    store.append([admit(old)])
    then = from_ms(clock.ms)
    clock.forward()
    store.append([admit(correction(old, "basalt is black")), condensed(old, "grey", 2)])
    past, query = store.reading(then), replace(everything(), statuses=(Status.LIVE,))
    assert find_ids(past, query, "granite") == [old.id]
    assert find_ids(past, query, "basalt") == []
    found = past.get(old.id)
    assert found is not None and found.memory == old and found.status is Status.LIVE


def test_facts_sessions_projects_and_accesses_have_a_past(store: Store, clock: Clock) -> None:
    one, held_then = memory(), fact("api", "port", "8080")
    store.append([admit(one), state(held_then)])
    store.append([Change(kind=ChangeKind.PROJECT, subject="prj_a", payload={"name": "old", "keys": ["dir:/old"]})])
    store.append([Change(kind=ChangeKind.SESSION, subject="session:s", payload={"agent": "anima", "successes": 1})])
    store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})], durable=False)
    clock.forward(10)
    then = from_ms(clock.ms)
    clock.forward()
    store.append([close(held_then, START)])
    store.append([Change(kind=ChangeKind.PROJECT, subject="prj_a", payload={"name": "new", "keys": ["dir:/new"]})])
    store.append([Change(kind=ChangeKind.SESSION, subject="session:s", payload={"successes": 1})])
    store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})], durable=False)
    past = store.reading(then)
    assert past.facts(FactQuery(scope=HERE)).items == (held_then,)
    project, session, stored = past.project("prj_a"), past.session("s"), past.get(one.id)
    assert project is not None and (project.name, project.keys) == ("old", ("dir:/old",))
    assert session is not None and session.successes == 1
    assert stored is not None and stored.standing.access_count == 1
    now = store.reading().get(one.id)
    assert now is not None and now.standing.access_count == 2


def test_history_ends_at_the_moment(store: Store, clock: Clock) -> None:
    one = memory()
    kept = store.append([admit(one)])
    then = from_ms(clock.ms)
    clock.forward()
    store.append([on(one, ChangeKind.FORGET)])
    assert store.reading(then).history(one.id) == kept
    found = store.reading(then).get(one.id)
    assert found is not None and found.status is Status.LIVE


def test_what_was_purged_is_in_no_past(store: Store, clock: Clock) -> None:
    one, other = memory("granite"), memory("basalt")
    store.append([admit(one), admit(other)])
    clock.forward(10)
    then = from_ms(clock.ms)
    clock.forward()
    store.purge([on(one, ChangeKind.PURGE)])
    past = store.reading(then)
    assert set(all_memories(past)) == {other.id}
    assert find_ids(past, everything(), "granite") == []
    assert all("memory" not in change.payload for change in past.history(one.id))
