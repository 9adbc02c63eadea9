"""A fact holds within its window."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.model.making import fact


def test_a_fact_holds_from_its_beginning_up_to_but_not_at_its_end() -> None:
    begins = datetime(2026, 1, 1, tzinfo=UTC)
    window = fact(valid_from=begins, valid_to=begins + timedelta(days=1))
    assert window.holds_at(begins)
    assert not window.holds_at(begins - timedelta(milliseconds=1))
    assert not window.holds_at(begins + timedelta(days=1))
    assert fact(valid_from=begins).holds_at(begins + timedelta(days=9999))
