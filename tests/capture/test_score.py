"""C3: the score, its four parts and its gate."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.capture.candidate import Candidate
from limpet.capture.judge import judge
from limpet.capture.meaning import Meaning
from limpet.capture.score import (
    BIAS,
    PROMPTS,
    TYPE_WEIGHTS,
    Memorability,
    TaskContext,
    rank_signals,
    score_candidate,
    score_routine,
    sum_signals,
)
from limpet.capture.speech.prompts import read_prompt
from limpet.capture.state import SegmentState
from limpet.capture.tables import load_table
from limpet.model.memory import Origin, Type
from limpet.settings import CaptureSettings
from tests.capture.marked import make_event

RULE = {"prompt": "Always use pnpm, never npm, because of the workspace links."}
SHARES = st.floats(0, 1)


@given(SHARES, SHARES, SHARES, SHARES, SHARES)
def test_the_total_is_the_weighted_sum_of_the_four_parts(a: float, b: float, c: float, d: float, e: float) -> None:
    found = Memorability(substance=a, salience=b, novelty=c, specificity=d, type_weight=e)
    assert found.total == pytest.approx(0.25 * a + 0.25 * b + 0.30 * c * d + 0.20 * e, abs=1e-4)


def test_the_types_weigh_what_they_should() -> None:
    assert TYPE_WEIGHTS == {
        Type.DECISION: 0.8,
        Type.DISCOVERY: 0.7,
        Type.BUGFIX: 0.5,
        Type.FEATURE: 0.5,
        Type.REFACTOR: 0.3,
        Type.CHANGE: 0.3,
    }


def test_the_gate_is_three_tenths() -> None:
    at = Memorability(substance=0.4, salience=0.2, novelty=1, specificity=0.1, type_weight=0.6)
    assert at.total == 0.30
    assert at.passes()
    assert not Memorability(substance=0.39, salience=0.2, novelty=1, specificity=0.1, type_weight=0.6).passes()


@pytest.mark.parametrize("kind", list(TYPE_WEIGHTS))
def test_routine_falls_below_the_gate_in_an_empty_store_too(kind: Type) -> None:
    assert score_routine(kind).distinctiveness == 0
    assert not score_routine(kind).passes()


@pytest.mark.parametrize(
    "short",
    [
        {"run": "ls -la", "out": "total 48\n-rw-r--r-- fix_errors.ts"},
        {"run": "rg fix", "out": "a.py: fix the error because it is critical"},
        {"run": "npm run build", "out": "0 errors, 0 warnings. Done."},
        {"run": "pytest", "out": "40 passed"},
        {"read": "/a.py", "out": "x" * 4000},
    ],
)
def test_listings_greps_reads_and_passing_builds_are_dropped_from_an_empty_store(short: dict[str, Any]) -> None:
    judged = judge(SegmentState(), make_event(short))
    assert not judged.kept
    assert judged.dropped is not None
    assert judged.dropped.score < 0.30


def test_length_is_not_substance() -> None:
    short = Candidate(text="x", type=Type.CHANGE, origin=Origin.AGENT, title="x", meanings=frozenset({Meaning.CAUSE}))
    long = Candidate(
        text="x " * 5000, type=Type.CHANGE, origin=Origin.AGENT, title="x", meanings=frozenset({Meaning.CAUSE})
    )
    assert score_candidate(short).substance == score_candidate(long).substance


def test_what_is_known_already_is_not_kept_again() -> None:
    assert judge(SegmentState(), make_event(RULE)).kept
    known = judge(SegmentState(), make_event(RULE), novelty=lambda _: 0.0)
    assert not known.kept
    assert known.dropped is not None
    assert known.dropped.reason == "already known"


def test_the_store_is_asked_only_about_what_could_pass() -> None:
    asked: list[str] = []
    judge(SegmentState(), make_event({"run": "ls", "out": "a"}), novelty=lambda text: asked.append(text) or 1.0)  # type: ignore[func-returns-value]
    assert asked == []


def test_what_bears_on_the_task_is_more_salient() -> None:
    found = Candidate(text="redis timeout in the cart", type=Type.DISCOVERY, origin=Origin.TOOL, title="x")
    near = TaskContext(focus=("redis", "cart"), files=())
    assert score_candidate(found, context=near).salience > score_candidate(found).salience


def test_a_stricter_gate_keeps_less() -> None:
    assert judge(SegmentState(), make_event(RULE), settings=CaptureSettings(gate=0.2)).kept
    assert not judge(SegmentState(), make_event(RULE), settings=CaptureSettings(gate=0.99)).kept


def test_the_signals_that_counted_are_listed_with_the_largest_first() -> None:
    signals = read_prompt("From now on use uv here, never pip.").signals
    ranked = rank_signals(signals, PROMPTS)
    weights = load_table(PROMPTS)
    assert ranked[0] == ("mostly rules", weights["mostly rules"].weight)
    assert [abs(worth) for _, worth in ranked] == sorted((abs(worth) for _, worth in ranked), reverse=True)
    together = weights[BIAS].weight + sum(worth for _, worth in ranked)
    assert together == pytest.approx(sum_signals(signals, PROMPTS), abs=0.5)
