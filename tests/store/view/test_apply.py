"""Copying journals between machines, in any direction, order and state, gives the same memory everywhere.

The state of any past moment is what the changes up to it make.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.clock import from_ms
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.scope import Scope
from limpet.store.protocol import FactQuery, Store
from tests.model.making import PROJECT, START, admit, close, condensed, correction, fact, memory, on, state
from tests.store.acting import Actor, Clock, all_memories, everything, expected_states, find_ids
from tests.store.homes import (
    copy_journal,
    open_store,
    remove_index,
    rewrite,
    segments,
    tables,
)
from tests.store.view.machines import Machine, assert_same, machines


@settings(max_examples=12)
@given(seed=st.integers(0, 10**9), count=st.integers(2, 3))
def test_any_exchange_of_journals_ends_in_the_same_state(seed: int, count: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        group = machines(Path(folder), count)
        actors = [Actor(machine.store, machine.clock, random.Random(seed + n)) for n, machine in enumerate(group)]
        for _ in range(chance.randrange(3, 9)):
            number = chance.randrange(count)
            actors[number].act(chance.randrange(1, 12))
            here, there = chance.sample(group, 2)
            here.pull(there, cut=chance if chance.random() < 0.6 else None)
            if chance.random() < 0.5:
                here.store.reading()
        for _ in range(3):
            for here in group:
                for there in group:
                    if here is not there:
                        here.pull(there)
                here.store.reading()
        assert_same(group)
        then = expected_states(change for actor in actors for change in actor.kept)
        found = all_memories(group[0].store.reading())
        assert {name: (each.memory, each.status) for name, each in found.items()} == {
            name: (each.memory, each.status) for name, each in then.items()
        }
        # And so does an index built from nothing but the files.
        before = tables(group[0].store)
        group[0].store.close()
        remove_index(group[0].home)
        assert tables(open_store(group[0].home)) == before
        for machine in group:
            machine.store.close()


def test_whole_folders_copied_both_ways_end_in_the_same_state(pair: list[Machine]) -> None:
    """Even a tool that overwrites our own newer segments with an older copy costs nothing."""
    here, there = pair
    many = [memory(f"number {number}") for number in range(12)]
    for number, one in enumerate(many):
        pair[number % 2].store.append([admit(one)])
        source, target = (here, there) if number % 3 else (there, here)
        copy_journal(source.home, target.home)
        target.store.reading()
    for _ in range(2):
        copy_journal(here.home, there.home)
        there.store.reading()
        copy_journal(there.home, here.home)
        here.store.reading()
    assert set(all_memories(here.store.reading())) == {one.id for one in many}
    assert all_memories(here.store.reading()) == all_memories(there.store.reading())
    assert here.store.verify().problems == there.store.verify().problems == []


def test_a_partial_line_of_another_device_has_not_arrived_yet(pair: list[Machine]) -> None:
    here, there = pair
    first, second = memory("first"), memory("second")
    there.store.append([admit(first), admit(second)])
    (path,) = segments(there.home)
    data = path.read_bytes()
    place = here.home / "journal" / path.parent.name / path.name
    place.parent.mkdir()
    start = data.index(b"\n") + 1
    own: set[str] = set()
    for length in (0, 10, start - 1, start, start + 1, len(data) - 1):
        rewrite(place, data[:length])
        assert set(all_memories(here.store.reading())) == own | ({first.id} if length >= start else set())
        meanwhile = memory(f"meanwhile {length}")
        here.store.append([admit(meanwhile)])
        own.add(meanwhile.id)
        assert place.read_bytes() == data[:length]
    rewrite(place, data)
    assert {first.id, second.id} <= set(all_memories(here.store.reading()))
    assert here.store.notices == []
    assert here.store.verify().problems == []


def test_a_copy_that_shrinks_and_grows_again_is_mended_and_said(pair: list[Machine]) -> None:
    here, there = pair
    many = [memory(f"number {number}") for number in range(4)]
    there.store.append([admit(one) for one in many[:3]])
    here.pull(there)
    assert len(all_memories(here.store.reading())) == 3
    (path,) = segments(there.home)
    place = here.home / "journal" / path.parent.name / path.name
    rewrite(place, path.read_bytes()[:100])
    assert len(all_memories(here.store.reading())) == 3
    assert any("was damaged" in notice for notice in here.store.notices)
    there.store.append([admit(many[3])])
    here.pull(there)
    assert set(all_memories(here.store.reading())) == {one.id for one in many}
    assert here.store.verify().problems == []


def test_forget_binds_a_correction_made_elsewhere(pair: list[Machine]) -> None:
    here, there = pair
    one = memory("one")
    here.store.append([admit(one)])
    there.pull(here)
    better = correction(one, "better")
    there.store.append([admit(better)])
    here.store.append([on(one, ChangeKind.FORGET)])
    here.pull(there)
    there.pull(here)
    for machine in pair:
        assert {each.status for each in all_memories(machine.store.reading()).values()} == {Status.FORGOTTEN}
    assert_same(pair)


def test_corrections_made_on_two_machines_both_live(pair: list[Machine]) -> None:
    here, there = pair
    one = memory("one")
    here.store.append([admit(one)])
    there.pull(here)
    there.store.append([admit(correction(one, "from there"))])
    here.store.append([admit(correction(one, "from here"))])
    here.pull(there)
    there.pull(here)
    live = [each for each in all_memories(here.store.reading()).values() if each.status is Status.LIVE]
    assert {each.memory.content for each in live} == {"from there", "from here"}
    assert_same(pair)


def test_the_first_claim_of_a_project_s_key_wins_on_every_machine(pair: list[Machine]) -> None:
    here, there = pair
    for machine, name in ((there, "b"), (here, "a")):
        machine.store.append(
            [Change(kind=ChangeKind.PROJECT, subject=f"prj_{name}", payload={"name": name, "keys": ["git:x"]})]
        )
    here.pull(there)
    there.pull(here)
    for machine in pair:
        found = machine.store.reading().project("git:x")
        assert found is not None and found.id == "prj_a"
    assert_same(pair)


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
