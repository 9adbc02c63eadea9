"""No question asked in one scope is ever answered from another."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.memory import Kind, Memory, Region, Sensitivity
from limpet.model.query import Query
from limpet.model.scope import Scope, token_of
from limpet.store.protocol import FactQuery, Store
from limpet.text.embedding import load_embedding_table
from limpet.text.lexicon import parse_terms
from limpet.text.similarity import content_hash, simhash
from tests.model.making import START, admit, fact, memory, state
from tests.store.acting import find_ids

TEXT = "granite cliffs of the northern shore hold the limpet"
AGENTS = ("anima", "anim", "anima:prj_a")
PROJECTS = ("prj_a", "prj_ab", "prj_b")
OWNERS: list[dict[str, Any]] = [
    *({"agent": agent, "project": project} for agent, project in product(AGENTS, PROJECTS)),
    *({"agent": agent, "region": Region.AGENT} for agent in AGENTS),
    *({"agent": agent, "app": app} for agent, app in product(AGENTS[:2], ("notes", "anima"))),
    {"agent": "anima", "project": None},
    {"agent": "anima", "project": ""},
]
SCOPES = [
    *(Scope(agent=agent, project=project) for agent, project in product(AGENTS, PROJECTS)),
    *(Scope(agent=agent) for agent in AGENTS),
    *(Scope(agent="anima", app=app) for app in ("notes", "anima")),
    Scope(agent="anima", project="prj_unknown"),
    Scope(agent="stranger", project="prj_a"),
    Scope(agent="anima", project=""),
]


def may_see(scope: Scope, one: Memory) -> bool:
    if scope.app is not None or one.app is not None:
        return scope.app == one.app
    if scope.agent != one.agent:
        return False
    return one.region is Region.AGENT or (bool(one.project) and one.project == scope.project)


@pytest.fixture
def owned(store: Store) -> list[Memory]:
    """Return memories with the same text in every scope and every sensitivity."""
    many = [
        memory(TEXT, sensitivity=sensitivity, **owner)
        for owner in OWNERS
        for sensitivity in (Sensitivity.PUBLIC, Sensitivity.PRIVATE)
    ]
    links = [("near", other.id) for other in many[:4]]
    store.append([admit(one, links=links) for one in many])
    facts = [fact("granite", "is", "grey", agent=one.agent, project=one.project, app=one.app) for one in many]
    store.append([state(each) for each in facts])
    return many


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: f"{scope.agent}-{scope.project}-{scope.app}")
def test_no_question_crosses_a_scope(store: Store, owned: list[Memory], scope: Scope) -> None:
    reading = store.reading()
    every = (Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN)
    for levels in ((Sensitivity.PUBLIC,), (Sensitivity.PRIVATE,), tuple(Sensitivity)):
        query = Query(scope=scope, sensitivity=levels, statuses=every, now=START, limit=1000)
        mine = {one.id for one in owned if may_see(scope, one) and one.sensitivity in levels}
        assert {stored.memory.id for stored in reading.browse(query).items} == mine
        assert set(find_ids(reading, query, TEXT, limit=1000)) == mine
        keys = {reading.key_of(name): name for name in mine}
        everybody = [reading.key_of(one.id) or 0 for one in owned]
        asked = parse_terms("granite")
        assert {key for key, _ in reading.by_words(query, asked, limit=1000)} == set(keys)
        assert reading.frequencies(query, asked)[1] == [len(keys)]
        assert set(reading.by_keys(query, everybody)) == set(keys)
        plain = replace(query, kind=Kind.LEARNINGS)
        assert set(find_ids(reading, plain, TEXT, limit=1000)) == mine
        code = load_embedding_table().encode(TEXT)
        if reading.has_vectors and code is not None:
            assert {key for key, _ in reading.by_meaning(query, code, limit=1000)} == set(keys)
            assert {key for key, _ in reading.by_meaning(plain, code, limit=1000)} == set(keys)
    visible = {one.id for one in owned if may_see(scope, one)}
    assert set(reading.ids_with_prefix("mem_", scope=scope, limit=1000)) == visible
    assert {source for source, _, _ in reading.links(scope)} <= visible
    assert sum(reading.counts(scope, START)["status"].values()) == len(visible)


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: f"{scope.agent}-{scope.project}-{scope.app}")
def test_no_fact_crosses_a_scope(store: Store, owned: list[Memory], scope: Scope) -> None:
    found = store.reading().facts(FactQuery(scope=scope, limit=1000))
    for one in found.items:
        if scope.app is not None or one.app is not None:
            assert one.app == scope.app
        else:
            assert one.agent == scope.agent
            assert one.project is None or one.project == scope.project
    assert found.total == len(found.items)


def test_a_token_finds_only_its_own_memories(store: Store, owned: list[Memory]) -> None:
    reading = store.reading()
    for one in owned:
        token = token_of(one)
        alike = {other.id for other in owned if token_of(other) == token}
        for found in (
            reading.same_text(token, content_hash(TEXT)),
            reading.recent_with_words(token, ["granite"], each=100),
            reading.near_duplicates(token, simhash(TEXT), limit=100),
            reading.over_cap(token, one.agent, 0),
        ):
            assert {stored.memory.id for stored in found} <= alike
        assert reading.newest(token, Kind.LEARNINGS) in alike


def test_the_owner_looking_across_projects_sees_no_other_agent(store: Store, owned: list[Memory]) -> None:
    for agent in AGENTS:
        scope = Scope(agent=agent, every_project=True)
        query = Query(scope=scope, sensitivity=tuple(Sensitivity), now=START, limit=1000)
        reading = store.reading()
        foreign = {one.id for one in owned if one.agent != agent}
        assert foreign.isdisjoint(stored.memory.id for stored in reading.browse(query).items)
        assert foreign.isdisjoint(find_ids(reading, query, TEXT, limit=1000))
        assert foreign.isdisjoint(reading.ids_with_prefix("mem_", scope=scope, limit=1000))
        assert foreign.isdisjoint(source for source, _, _ in reading.links(scope))
        assert all(each.agent == agent for each in reading.facts(FactQuery(scope=scope, limit=1000)).items)
