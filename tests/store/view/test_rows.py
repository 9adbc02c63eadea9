"""A row is read back with its standing: uses, sessions and active days."""

from __future__ import annotations

from datetime import timedelta

from limpet.clock import DAY_MS
from limpet.lean.record import replace
from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Region
from limpet.model.scope import Scope
from limpet.store.protocol import Store
from tests.model.making import PROJECT, START, admit, memory, on
from tests.store.acting import Clock, everything, get_stored, receipt, session

HERE = Scope(agent="anima", project=PROJECT)


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


def test_an_injection_is_an_access_only_if_it_was_used(store: Store) -> None:
    one = memory()
    store.append([admit(one)])
    store.append([receipt(one.id, session="s1", counts=False)], durable=False)
    standing = get_stored(store, one.id).standing
    assert (standing.access_count, standing.last_session, standing.last_accessed) == (0, None, None)
    assert [each.ids for each in store.reading().receipts(memory=one.id, limit=5)] == [(one.id,)], "`why` shows it"
    store.append([receipt(way="outcome", session="s1", counts=False, outcomes={one.id: "used"})], durable=False)
    standing = get_stored(store, one.id).standing
    assert (standing.access_count, standing.last_session) == (1, "s1")


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


def test_a_memory_of_another_program_may_have_more_tags_than_a_statement_has_values(store: Store) -> None:
    tags = tuple(f"tag{number}" for number in range(20_000))
    made = memory("the harbour is granite", tags=tags)
    store.append([admit(made)])
    query = replace(everything(), tag="tag19999")
    assert [stored.memory.id for stored in store.reading().browse(query).items] == [made.id]
    store.append([on(made, ChangeKind.FORGET)])
    assert get_stored(store, made.id).status is Status.FORGOTTEN
