"""Scopes: a memory's token is among those a scope sees exactly when the scope may see it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.model.memory import Memory, Region
from limpet.model.scope import Scope, token_of
from tests.model.making import memory

names = st.sampled_from(["", "a", "b", "ab", "1:a", "a1:b", "agent", "app", "project", "é"]) | st.text(max_size=5)
memories = st.builds(
    memory, agent=names, project=st.none() | names, app=st.none() | names, region=st.sampled_from(list(Region))
)


def sees(scope: Scope, one: Memory) -> bool:
    tokens = scope.tokens()
    assert tokens is not None
    return token_of(one) in tokens


@given(agent=names, project=names, app=st.none() | names, region=st.sampled_from(list(Region)), own=names, other=names)
def test_a_scope_sees_its_own_memories_and_no_others(
    agent: str, project: str, app: str | None, region: Region, own: str, other: str
) -> None:
    one = memory(agent=agent, project=project, app=app, region=region)
    scope = Scope(agent=own, project=other)
    belongs = app is None and own == agent and (region is Region.AGENT or (project != "" and project == other))
    assert sees(scope, one) == belongs


@given(memories, st.lists(names, max_size=3))
def test_a_project_sees_the_memories_of_those_that_joined_it(one: Memory, joined: list[str]) -> None:
    scope = Scope(agent="anima", project="p", joined=tuple(joined))
    known = any(sees(Scope(agent="anima", project=project), one) for project in ("p", *joined))
    assert sees(scope, one) == known


@given(memories, names)
def test_an_app_sees_its_own_memories_and_nothing_of_an_agent(one: Memory, app: str) -> None:
    assert sees(Scope(agent=one.agent, project=one.project, app=app), one) == (one.app == app)


@given(memories)
def test_no_agent_or_project_sees_what_belongs_to_an_app(one: Memory) -> None:
    if one.app is not None:
        assert not sees(Scope(agent=one.agent, project=one.project), one)


def test_outside_a_project_only_the_agent_s_own_memories_are_seen() -> None:
    assert sees(Scope(agent="anima"), memory(region=Region.AGENT))
    assert not sees(Scope(agent="anima"), memory(region=Region.PROJECT))


@pytest.mark.parametrize("project", [None, ""])
def test_a_project_memory_without_a_project_is_seen_by_nobody(project: str | None) -> None:
    lost = memory(region=Region.PROJECT, project=project)
    assert not sees(Scope(agent="anima"), lost)
    assert not sees(Scope(agent="anima", project=project), lost)


def test_only_the_owner_s_own_look_across_projects_has_no_tokens() -> None:
    assert Scope(agent="anima", every_project=True).tokens() is None
    assert Scope(agent="anima", every_project=True, app="notes").tokens() is not None


@given(st.lists(st.tuples(names, names), min_size=2, max_size=2, unique=True))
def test_tokens_of_different_owners_are_different_words(pairs: list[tuple[str, str]]) -> None:
    tokens = [token_of(memory(agent=agent, project=project or "x")) for agent, project in pairs]
    same = pairs[0][0] == pairs[1][0] and (pairs[0][1] or "x") == (pairs[1][1] or "x")
    assert (tokens[0] == tokens[1]) == same
    assert all(token.isalnum() and token.isascii() for token in tokens)
