"""The state of a session between two events, as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.capture.judge import judge, reset_effort
from limpet.capture.state import Effort, SegmentState, decode_segment_state, encode_segment_state, measure_difficulty
from limpet.model.event import Compacted
from tests.capture.marked import START, judge_long_session, judge_session, long_session, make_event


def test_a_state_carried_by_json_is_the_same_state() -> None:
    assert judge_session(long_session(), through_json=True) == judge_long_session()


def test_the_state_of_a_long_session_stays_small() -> None:
    assert len(json.dumps(encode_segment_state(judge_long_session()[-1].state))) < 40_000


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
    assert decode_segment_state(odd) == SegmentState()


@given(st.integers(0, 200), st.integers(0, 200), st.booleans())
def test_difficulty_is_half_failures_three_tenths_work_two_tenths_compaction(
    tools: int, failures: int, compacted: bool
) -> None:
    failures = min(tools, failures)
    found = measure_difficulty(Effort(tools=tools, failures=failures, compacted=compacted))
    if tools == 0 and not compacted:
        assert found == 0.5
    else:
        rate = failures / tools if tools else 0
        assert found == pytest.approx(0.5 * rate + 0.3 * min(1, tools / 50) + 0.2 * compacted)
    assert 0 <= found <= 1


def test_storing_a_memory_uses_and_resets_the_counters() -> None:
    state = SegmentState()
    for failed in (True, False, True, False):
        state = judge(state, make_event({"run": "make", "out": "", "failed": failed})).state
    state = judge(state, Compacted(session="s1", at=START)).state
    assert state.effort == Effort(tools=4, failures=2, compacted=True)
    kept = judge(state, make_event({"prompt": "Always use pnpm, never npm."})).kept
    assert kept[0].draft.difficulty == pytest.approx(0.25 + 0.3 * 4 / 50 + 0.2)
    assert reset_effort(state, 7).effort == Effort(since_ms=7)
