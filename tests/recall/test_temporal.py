"""Words of time in a question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.recall.temporal import read_cue, read_moment

# A Wednesday at noon, wherever the test runs.
NOW = datetime(2026, 11, 11, 12, 0).astimezone()


def local(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day).astimezone().astimezone(UTC)


@pytest.mark.parametrize(
    ("question", "since", "until"),
    [
        ("what did we fix yesterday", local(2026, 11, 10), local(2026, 11, 11)),
        ("what was decided the day before yesterday", local(2026, 11, 9), local(2026, 11, 10)),
        ("decisions of last week about caching", local(2026, 11, 2), local(2026, 11, 9)),
        ("what broke last month", local(2026, 10, 1), local(2026, 11, 1)),
        ("the outage in March", local(2026, 3, 1), local(2026, 4, 1)),
        ("the outage in december", local(2025, 12, 1), local(2026, 1, 1)),
        ("the outage in March 2025", local(2025, 3, 1), local(2025, 4, 1)),
        ("what happened on 2026-10-03", local(2026, 10, 3), local(2026, 10, 4)),
        ("what did I say on Monday", local(2026, 11, 9), local(2026, 11, 10)),
        ("what did I say on Wednesday", local(2026, 11, 4), local(2026, 11, 5)),
    ],
)
def test_a_time_becomes_a_window(question: str, since: datetime, until: datetime) -> None:
    cue = read_cue(question, NOW)
    assert (cue.since, cue.until) == (since, until)


def test_the_words_of_time_are_not_looked_for() -> None:
    assert read_cue("what did we decide last week about caching", NOW).rest == "what did we decide   about caching"


def test_so_many_days_ago_is_about_that_day() -> None:
    cue = read_cue("the bug three days ago", NOW)
    assert cue.since is not None
    assert cue.until is not None
    middle = NOW.astimezone(UTC) - timedelta(days=3)
    assert cue.since < middle < cue.until
    assert cue.until - cue.since == timedelta(days=1)


def test_the_last_session_and_a_branch_are_cues_too() -> None:
    assert read_cue("what were we doing in the last session", NOW).last_session
    assert read_cue("the parser fix on branch feature/x-1", NOW).branch == "feature/x-1"
    assert read_cue("the fix on the release-2 branch", NOW).branch == "release-2"


@pytest.mark.parametrize(
    "question", ["how do we run tests", "may I use tabs", "march of the penguins", "last call wins"]
)
def test_ordinary_words_are_no_cue(question: str) -> None:
    cue = read_cue(question, NOW)
    assert not cue.is_present
    assert cue.rest == question


@given(st.text())
def test_any_text_can_be_read(question: str) -> None:
    read_cue(question, NOW)


@given(st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1)))
def test_a_window_is_never_empty(moment: datetime) -> None:
    for question in ("today", "yesterday", "last week", "this month", "last year", "in February", "2 months ago"):
        cue = read_cue(question, moment.astimezone())
        assert cue.since is not None
        assert cue.until is not None
        assert cue.since < cue.until


def test_recently_and_a_few_days_ago_are_times() -> None:
    recent = read_cue("what did we do recently", NOW)
    assert recent.since is not None and NOW - recent.since == timedelta(days=14)
    few = read_cue("the bug a few days ago", NOW)
    assert few.since is not None and few.until is not None
    assert few.since < NOW - timedelta(days=3) < few.until < NOW - timedelta(days=1)
    assert few.rest == "the bug"
    assert not read_cue("sort by the recently used files", NOW).is_present
    assert not read_cue("show the most recently used files", NOW).is_present


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("yesterday", local(2026, 11, 10)),
        ("Today", local(2026, 11, 11)),
        ("the day before yesterday", local(2026, 11, 9)),
        ("last week", local(2026, 11, 2)),
        ("this month", local(2026, 11, 1)),
        ("monday", local(2026, 11, 9)),
        ("last Monday", local(2026, 11, 9)),
        ("march 2025", local(2025, 3, 1)),
        ("an hour  ago", NOW - timedelta(hours=1)),
        ("2 weeks ago", NOW - timedelta(days=14)),
        ("last 30 days", NOW - timedelta(days=30)),
        ("3 days", NOW - timedelta(days=3)),
        ("now", NOW),
    ],
)
def test_a_date_in_words_is_the_moment_at_which_it_begins(text: str, moment: datetime) -> None:
    assert read_moment(text, NOW) == moment


@pytest.mark.parametrize(
    "text", ["", "someday", "last session", "branch main", "2026-13-35", "yesterday we met", "tomorrow", "week"]
)
def test_a_text_that_names_no_time_is_no_date(text: str) -> None:
    assert read_moment(text, NOW) is None


@given(st.text(max_size=60))
def test_any_text_is_a_date_or_none(text: str) -> None:
    assert (read_moment(text, NOW) or NOW).tzinfo is not None
