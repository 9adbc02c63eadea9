"""Times are cut to the millisecond and survive being stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.clock import format_age, from_ms, now, to_ms


@given(st.integers(0, 253_402_300_799_999))
def test_a_time_survives_its_milliseconds(ms: int) -> None:
    assert to_ms(from_ms(ms)) == ms
    assert from_ms(ms).tzinfo is UTC


def test_the_time_has_no_part_below_a_millisecond() -> None:
    assert now().microsecond % 1000 == 0


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (timedelta(seconds=-5), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(seconds=60), "1m"),
        (timedelta(minutes=59, seconds=59), "59m"),
        (timedelta(hours=23), "23h"),
        (timedelta(days=364), "364d"),
        (timedelta(days=800), "2y"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(age: timedelta, expected: str) -> None:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    assert format_age(moment, moment - age) == expected
