"""Antigens: found by their scope, the same after a rebuild, and gone when purged."""

from __future__ import annotations

import pytest

from limpet.model.antigen import antigen_id, incident_source, session_change
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.scope import Scope
from limpet.store.protocol import Store
from tests.model.making import PROJECT
from tests.store.homes import files_holding, open_store, remove_index, tables
from tests.store.view.machines import Machine, assert_same

HERE = Scope(agent="anima", project=PROJECT)
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
