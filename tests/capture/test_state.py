"""The state of a session between two events, as JSON."""

from __future__ import annotations

import json

import pytest

from limpet.capture.state import SegmentState, from_json, to_json
from tests.capture.marked import judge_session, load_marked

SESSION = [short for each in list(load_marked())[::3] for short in (*each.before, each.event)]


def test_a_state_carried_by_json_is_the_same_state() -> None:
    assert judge_session(SESSION, through_json=True) == judge_session(SESSION)


def test_the_state_of_a_long_session_stays_small() -> None:
    assert len(json.dumps(to_json(judge_session(SESSION)[-1].state))) < 40_000


@pytest.mark.parametrize(
    "odd",
    [
        None,
        3,
        [],
        {},
        {"pending": 3, "notes": [], "observations": "x"},
        {"pending": [{}]},
        {"focus": [{}]},
        {"files": [{}]},
        {"notes": {"goals": [5]}},
        {"turn": {"asked": 5, "acted": "x"}},
        {"window": {"texts": [[{}]]}},
    ],
)
def test_a_damaged_state_is_a_new_one(odd: object) -> None:
    assert from_json(odd) == SegmentState()
