"""Antigens: found by their scope, the same after a rebuild, and gone when purged."""

from __future__ import annotations

from limpet.model.antigen import antigen_id
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.scope import Scope
from limpet.store.protocol import Store
from tests.model.making import PROJECT

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
