"""Times are counted in milliseconds, and a value that has been stored and read back is the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from limpet.clock import format_day, from_ms, to_ms

YEAR_3000 = 32_503_680_000_000


@given(st.integers(0, YEAR_3000))
def test_a_time_survives_being_written_as_milliseconds(ms: int) -> None:
    assert to_ms(from_ms(ms)) == ms


@given(st.integers(0, YEAR_3000))
def test_a_day_is_named_as_the_calendar_names_it(ms: int) -> None:
    assert format_day(ms) == from_ms(ms).strftime("%Y%m%d")
