"""Facts: found by any of their parts, as of a date, and never deleted by being overtaken."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.lean.record import replace
from limpet.model.antigen import antigen_id, incident_source, session_change
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.fact import Fact
from limpet.model.scope import Scope
from limpet.store.protocol import FactQuery, Store
from tests.model.making import PROJECT, START, admit, close, fact, memory, on, state
from tests.store.homes import files_holding, open_store, remove_index, tables
from tests.store.view.machines import Machine, assert_same

HERE = Scope(agent="anima", project=PROJECT)


def find_facts(store: Store, **fields: Any) -> list[str]:
    return [each.id for each in store.reading().facts(FactQuery(**{"scope": HERE, **fields})).items]


def day(number: float) -> Any:
    return START + timedelta(days=number)


def test_a_fact_is_read_back_as_it_was_stated(store: Store) -> None:
    source = memory()
    one = fact("Api", "has port", "8080 🐚", confidence=0.7, sources=(source.id,))
    store.append([admit(source), state(one)])
    assert store.reading().fact(one.id) == one
    assert store.reading().fact("fact_unknown") is None


@pytest.mark.parametrize("part", ["subject", "predicate", "object"])
def test_facts_are_found_by_any_part_whatever_its_case(store: Store, part: str) -> None:
    one = fact("Straße", "IST", "Groß")
    store.append([state(one), state(fact("other", "other", "other"))])
    value = getattr(one, part)
    for spelling in (value, value.upper(), value.lower()):
        assert find_facts(store, **{part: spelling}) == [one.id]
    assert find_facts(store, **{part: value[:2]}) == []


def test_facts_are_found_by_all_parts_together(store: Store) -> None:
    one, other = fact("api", "port", "8080"), fact("api", "port", "9090")
    store.append([state(one), state(other)])
    assert set(find_facts(store, subject="api", predicate="port")) == {one.id, other.id}
    assert find_facts(store, subject="api", predicate="port", object="9090") == [other.id]


def test_an_overtaken_fact_is_closed_with_less_confidence_and_stays(store: Store) -> None:
    old, new = fact("api", "port", "8080", valid_from=day(0)), fact("api", "port", "9090", valid_from=day(5))
    store.append([state(old), state(new), close(old, day(5), confidence=0.6, by=new.id)])
    closed = replace(old, valid_to=day(5), confidence=0.6, closed_by=new.id)
    assert store.reading().fact(old.id) == closed
    assert find_facts(store, subject="api") == [new.id]
    assert set(find_facts(store, subject="api", closed=True)) == {old.id, new.id}


def test_facts_can_be_asked_for_as_of_a_date(store: Store) -> None:
    old, new = fact("api", "port", "8080", valid_from=day(0)), fact("api", "port", "9090", valid_from=day(5))
    store.append([state(old), state(new), close(old, day(5))])
    assert find_facts(store, at=day(-1)) == []
    assert find_facts(store, at=day(0)) == find_facts(store, at=day(4.9)) == [old.id]
    assert find_facts(store, at=day(5)) == find_facts(store, at=day(99)) == [new.id]


def test_facts_are_paged_newest_first(store: Store) -> None:
    many = [fact("api", "port", str(number), valid_from=day(number)) for number in range(7)]
    store.append([state(each) for each in many])
    newest_first = [each.id for each in reversed(many)]
    page = store.reading().facts(FactQuery(scope=HERE, limit=3, offset=3))
    assert [each.id for each in page.items] == newest_first[3:6]
    assert (page.total, page.has_more) == (7, True)


def test_facts_are_seen_in_their_own_scope_only(store: Store) -> None:
    def put(**fields: Any) -> Fact:
        one = fact("api", "port", "1", **fields)
        store.append([state(one)])
        return one

    here, wide = put(), put(project=None)
    elsewhere, foreign, app = put(project="prj_elsewhere"), put(agent="other"), put(app="notes")
    assert set(find_facts(store)) == {here.id, wide.id}
    assert find_facts(store, scope=Scope(agent="anima")) == [wide.id]
    assert find_facts(store, scope=Scope(agent="other", project=PROJECT)) == [foreign.id]
    assert find_facts(store, scope=Scope(agent="anima", app="notes")) == [app.id]
    assert set(find_facts(store, scope=Scope(agent="anima", project="prj_elsewhere"))) == {elsewhere.id, wide.id}
    assert foreign.id not in find_facts(store, scope=Scope(agent="anima", every_project=True))


def test_a_fact_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    one, foreign = fact(), fact(agent="other")
    store.append([state(one), state(foreign)])
    assert store.reading().ids_with_prefix(one.id[:-3], scope=HERE) == (one.id,)
    assert store.reading().ids_with_prefix("fact_", scope=HERE) == (one.id,)


def test_the_facts_that_rest_on_some_memories_alone_are_known(store: Store) -> None:
    one, other = memory("one"), memory("other")
    alone, both, none = fact(sources=(one.id,)), fact(sources=(one.id, other.id)), fact()
    store.append([admit(one), admit(other), *map(state, (alone, both, none))])
    reading = store.reading()
    assert [each.id for each in reading.facts_from((one.id,))] == [alone.id]
    assert {each.id for each in reading.facts_from((one.id, other.id))} == {alone.id, both.id}
    assert reading.facts_from(()) == ()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_purge_takes_the_facts_that_rest_on_nothing_else(store: Store, when: str) -> None:
    one, other = memory("one"), memory("other")
    alone, both, none = fact(sources=(one.id,)), fact(sources=(one.id, other.id)), fact()
    stated = [state(each) for each in (alone, both, none)]
    store.append([admit(one), admit(other)])
    if when == "before":
        store.purge([on(one, ChangeKind.PURGE)])
        store.append(stated)
    else:
        store.append(stated)
        store.purge([on(one, ChangeKind.PURGE)])
    assert set(find_facts(store)) == {both.id, none.id}
    assert store.reading().fact(both.id) == both
    assert store.reading().fact(alone.id) is None
    assert all("fact" not in change.payload for change in store.reading().history(alone.id))
    store.purge([on(other, ChangeKind.PURGE)])
    assert find_facts(store) == [none.id]
    assert store.verify().problems == []


def test_a_purged_fact_leaves_nothing(store: Store) -> None:
    one = fact("api", "port", "8080")
    store.append([state(one), close(one, day(3))])
    store.purge([Change(kind=ChangeKind.PURGE, subject=one.id)])
    assert store.reading().fact(one.id) is None
    assert find_facts(store, closed=True) == []
    assert [change.payload for change in store.reading().history(one.id)] == [{}, {}, {}]
    assert store.verify().problems == []


PIP = CallPattern(kind=PatternKind.COMMAND, words=("pip",))


def seen(project: str | None = PROJECT, agent: str = "anima") -> Change:
    incident = {"conversation": "s-1", "at": 1, "call": "pip install", "transcript": "s.jsonl", "line": 3}
    payload = {"agent": agent, "project": project, "pattern": PIP.encode(), "incidents": [incident]}
    return Change(kind=ChangeKind.ANTIGEN, subject=antigen_id(agent, project, PIP), payload=payload)


def test_a_scope_sees_its_own_antigens(store: Store) -> None:
    store.append([seen(), seen("prj_other"), seen(None), seen(PROJECT, "other")])
    reading = store.reading()
    assert {each.project for each in reading.antigens(HERE)} == {PROJECT, None}
    assert len(reading.antigens(Scope(agent="anima", every_project=True))) == 3
    assert len(reading.antigens(None)) == 4


def test_an_antigen_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    change = seen()
    store.append([change])
    assert store.reading().ids_with_prefix(change.subject[:8], scope=HERE) == (change.subject,)


def test_the_index_agrees_with_the_journal(store: Store) -> None:
    store.append([seen()])
    assert store.verify().problems == []


def test_a_purged_antigen_is_gone(store: Store) -> None:
    change = seen()
    store.append([change])
    store.purge([Change(kind=ChangeKind.PURGE, subject=change.subject)])
    assert store.reading().antigens(None) == ()
    assert store.verify().problems == []


def seen_in(session: str) -> Change:
    incident = {"conversation": session, "at": 1, "call": "pip install", "transcript": f"{session}.jsonl", "line": 3}
    payload = {"agent": "anima", "project": PROJECT, "pattern": PIP.encode(), "incidents": [incident]}
    return session_change(antigen_id("anima", PROJECT, PIP), session, payload)


@pytest.mark.parametrize("is_purged_first", [True, False])
def test_the_incidents_of_a_purged_session_go_in_any_order_of_arrival(
    pair: list[Machine], *, is_purged_first: bool
) -> None:
    here, there = pair
    there.store.append([seen_in("quixotry"), seen_in("s-2")])
    if not is_purged_first:
        here.pull(there)
        here.store.reading()
    here.store.purge([Change(kind=ChangeKind.PURGE, subject=incident_source("quixotry"))])
    here.pull(there)
    there.pull(here)
    for machine in pair:
        [antigen] = machine.store.reading().antigens(None)
        assert [each.conversation for each in antigen.incidents] == ["s-2"]
        assert machine.store.reading().purged_sessions() == {"quixotry"}
        assert files_holding(machine.home, "quixotry.jsonl") == {}
    assert_same(pair)
    before = tables(here.store)
    here.store.close()
    remove_index(here.home)
    rebuilt = open_store(here.home, here.clock)
    rebuilt.reading()
    assert tables(rebuilt) == before
    assert rebuilt.verify().problems == []
