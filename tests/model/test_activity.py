"""Memories age by active days and by sessions, never by time alone."""

from __future__ import annotations

from limpet.clock import DAY_MS
from limpet.model.activity import Activity
from tests.model.making import START_MS, body, memory

TODAY = START_MS // DAY_MS


def activity(*days: int) -> Activity:
    """Return the activity of sessions s0, s1, …, one on each of these days after today."""
    began = tuple(body(START_MS + day * DAY_MS) for day in days)
    sessions = {f"s{number}": first for number, first in enumerate(began)}
    return Activity(days=tuple(TODAY + day for day in days), began=began, sessions=sessions)


def test_only_active_days_after_the_last_use_count() -> None:
    one = memory()
    assert activity().idle_days(one, None) == 0
    assert activity(0, 1, 40).idle_days(one, None) == 2
    assert activity(0, 1, 40).idle_days(one, START_MS + DAY_MS) == 1
    assert activity(0, 1, 40).idle_days(one, START_MS + 400 * DAY_MS) == 0


def test_sessions_count_from_the_one_of_the_last_use() -> None:
    one = memory(session="s0")
    assert activity(0, 1, 2).sessions_since(one, None, None) == 2
    assert activity(0, 1, 2).sessions_since(one, None, "s1") == 1


def test_sessions_count_by_the_clock_where_the_session_is_unknown() -> None:
    one = memory(session="elsewhere")
    assert activity().sessions_since(one, None, None) == 0
    assert activity(-1, 1, 2).sessions_since(one, None, None) == 2
    assert activity(-1, 1, 2).sessions_since(one, START_MS + DAY_MS, None) == 1
