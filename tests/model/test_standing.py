"""Strength, priority and trust of a memory: pure functions with floors and ceilings."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.clock import DAY_MS, local_day
from limpet.lean.record import replace
from limpet.model.memory import Impact, Memory, Origin, Type
from limpet.model.standing import Activity, Standing, priority, strength, trust
from tests.model import strategies
from tests.model.making import START, START_MS, body, memory

counts = st.integers(0, 10_000)
days = st.integers(0, 10_000)
memories = st.builds(
    memory,
    type=st.sampled_from(list(Type)),
    importance=strategies.shares,
    difficulty=strategies.shares,
    origin=st.sampled_from(list(Origin)),
    confirmed=st.booleans(),
)


@given(memories, counts, days, days)
def test_strength_never_rises_by_being_left_alone(one: Memory, accesses: int, fewer: int, more: int) -> None:
    fewer, more = sorted((fewer, more))
    recent = strength(one, Standing(access_count=accesses, idle_days=fewer))
    assert strength(one, Standing(access_count=accesses, idle_days=more)) <= recent


@given(memories, counts, counts, days)
def test_strength_never_falls_by_being_used(one: Memory, fewer: int, more: int, idle: int) -> None:
    fewer, more = sorted((fewer, more))
    used = strength(one, Standing(access_count=more, idle_days=idle))
    assert used >= strength(one, Standing(access_count=fewer, idle_days=idle))


@given(memories, counts, days)
def test_strength_keeps_its_floor_and_its_ceiling(one: Memory, accesses: int, idle: int) -> None:
    value = strength(one, Standing(access_count=accesses, idle_days=idle))
    assert 0.2 * one.importance <= value <= 1.0
    assert strength(one, Standing(access_count=accesses, idle_days=idle)) == value


def test_strength_is_the_formula_of_the_specification() -> None:
    ordinary = memory(type=Type.CHANGE, importance=0.7)
    lasting = memory(type=Type.DECISION, importance=0.7)
    stood = Standing(access_count=3, idle_days=4)
    assert strength(ordinary, stood) == pytest.approx(0.7 + 0.03 * math.log(4) - 0.2)
    assert strength(lasting, stood) == pytest.approx(0.7 + 0.03 * math.log(4) - 0.1)
    assert strength(replace(lasting, type=Type.DISCOVERY), stood) == strength(lasting, stood)
    assert strength(ordinary, Standing(idle_days=1000)) == pytest.approx(0.14)


@given(memories, st.integers(0, 1000), counts)
def test_priority_is_the_formula_of_the_specification(one: Memory, since: int, accesses: int) -> None:
    value = priority(one, Standing(sessions_since=since, access_count=accesses))
    assert value == pytest.approx(0.4 * one.difficulty + 0.3 / (1 + since) + 0.3 * min(1, accesses / 10))
    assert 0 <= value <= 1


@given(memories, counts, st.integers(-400, 40_000), st.booleans())
def test_trust_is_never_above_the_ceiling_of_the_origin(one: Memory, accesses: int, age: int, warned: bool) -> None:
    now = one.created_at + timedelta(days=age)
    ceiling = 1.0 if one.confirmed else one.origin.ceiling
    value = trust(one, Standing(access_count=accesses), now=now, warned=warned)
    assert 0 < value <= (ceiling / 2 if warned else ceiling)


@given(memories, counts)
def test_a_warning_halves_trust(one: Memory, accesses: int) -> None:
    standing = Standing(access_count=accesses)
    clean = trust(one, standing, now=START, warned=False)
    assert trust(one, standing, now=START, warned=True) == pytest.approx(clean / 2)


@given(memories, counts, counts, st.integers(0, 1000), st.integers(0, 1000))
def test_trust_grows_with_use_and_age_only(one: Memory, few: int, many: int, young: int, old: int) -> None:
    few, many = sorted((few, many))
    young, old = sorted((young, old))
    before = trust(one, Standing(access_count=few), now=one.created_at + timedelta(days=young), warned=False)
    assert trust(one, Standing(access_count=many), now=one.created_at + timedelta(days=old), warned=False) >= before


def test_confirming_lifts_the_ceiling_to_the_user_s() -> None:
    rumour = memory(origin=Origin.EXTERNAL)
    now = rumour.created_at
    assert trust(rumour, Standing(), now=now, warned=False) == pytest.approx(0.16)
    assert trust(replace(rumour, confirmed=True), Standing(), now=now, warned=False) == pytest.approx(0.8)


@given(
    accesses=st.integers(0, 1000),
    idle=st.integers(0, 200),
    importance=st.floats(0, 1),
    impact=st.sampled_from(list(Impact)),
)
def test_strength_is_the_same_however_often_it_is_worked_out(
    accesses: int, idle: int, importance: float, impact: Impact
) -> None:
    one = memory(importance=importance, impact=impact)
    standing = Standing(access_count=accesses, idle_days=idle)
    values = {strength(one, standing) for _ in range(3)}
    assert len(values) == 1
    assert strength(one, Standing(access_count=accesses, idle_days=idle + 1)) <= values.pop()


TODAY = local_day(START_MS)


def activity(*days: int) -> Activity:
    """Return the activity of sessions s0, s1, …, one on each of these days after today."""
    began = tuple(body(START_MS + day * DAY_MS) for day in days)
    sessions = {f"s{number}": first for number, first in enumerate(began)}
    return Activity(days=tuple(TODAY + day for day in days), began=began, sessions=sessions)


def standing(activity: Activity, one: Memory, last_ms: int | None = None, session: str | None = None) -> Standing:
    return activity.standing_of(one, count=0, last_ms=last_ms, session=session, feedback=None)


def test_only_active_days_after_the_last_use_count() -> None:
    one = memory()
    assert standing(activity(), one).idle_days == 0
    assert standing(activity(0, 1, 40), one).idle_days == 2
    assert standing(activity(0, 1, 40), one, START_MS + DAY_MS).idle_days == 1
    assert standing(activity(0, 1, 40), one, START_MS + 400 * DAY_MS).idle_days == 0


def test_a_use_makes_a_memory_no_younger() -> None:
    assert standing(activity(0, 1, 40), memory(), START_MS + DAY_MS).age_days == 2


def test_sessions_count_from_the_one_of_the_last_use() -> None:
    one = memory(session="s0")
    assert standing(activity(0, 1, 2), one).sessions_since == 2
    assert standing(activity(0, 1, 2), one, session="s1").sessions_since == 1


def test_sessions_count_by_the_clock_where_the_session_is_unknown() -> None:
    one = memory(session="elsewhere")
    assert standing(activity(), one).sessions_since == 0
    assert standing(activity(-1, 1, 2), one).sessions_since == 2
    assert standing(activity(-1, 1, 2), one, START_MS + DAY_MS).sessions_since == 1
