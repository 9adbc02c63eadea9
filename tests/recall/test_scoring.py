"""The score of a hit is the weighted sum of its parts."""

from __future__ import annotations

import pytest

from tests.operations.sandbox import DAY, Sandbox
from tests.recall.searching import first_hit


def test_the_score_is_the_weighted_sum_of_its_parts(filled: Sandbox) -> None:
    hit = first_hit(filled, "default port of the API")
    parts = hit.parts
    expected = 0.55 * parts["match"] + 0.20 * parts["recency"] + 0.15 * parts["strength"] + 0.10 * parts["trust"]
    assert hit.score == pytest.approx(expected)
    assert parts["match"] == pytest.approx(1.0)
    assert parts["coverage"] == pytest.approx(1.0)
    assert all(0 <= parts[name] <= 1 for name in ("match", "recency", "strength", "trust", "words", "meaning"))


def test_recency_halves_in_three_weeks_and_asking_does_not_renew_it(filled: Sandbox) -> None:
    filled.ms += 21 * DAY
    for _ in range(3):
        recency = first_hit(filled, "default port").parts["recency"]
        assert recency == pytest.approx(0.5, abs=0.001)


def test_the_weights_are_settings(filled: Sandbox) -> None:
    hit = first_hit(filled, "default port", flags={"recall.match_weight": 0.0, "recall.recency_weight": 0.0})
    assert hit.score == pytest.approx(0.15 * hit.parts["strength"] + 0.10 * hit.parts["trust"])
