"""C3: the score, its four parts and its gate."""

from __future__ import annotations

from math import log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.capture.candidate import GATE, Candidate, Memorability
from limpet.capture.judge import judge
from limpet.capture.meaning import Meaning
from limpet.capture.score import (
    BIAS,
    PROMPTS,
    SHORT,
    TYPE_WEIGHTS,
    TaskContext,
    score_candidate,
    score_message,
    score_routine,
)
from limpet.capture.speech.prompts import prompt_candidates, read_prompt
from limpet.capture.state import SegmentState
from limpet.capture.tables import load_table
from limpet.model.memory import Origin, Type
from limpet.settings import CaptureSettings
from tests.capture.marked import make_event

RULE = {"prompt": "Always use pnpm, never npm, because of the workspace links."}
POINTS = st.floats(-9, 9)


@given(POINTS, POINTS, POINTS, POINTS, st.floats(0, 1))
def test_the_total_is_the_sum_of_four_parts_between_0_and_1(a: float, b: float, c: float, d: float, new: float) -> None:
    found = Memorability(bias=-1, substance=a, salience=b, specificity=c, type_weight=d, familiarity=2, novelty=new)
    points = -1 + a + b + found.distinctiveness + d
    assert 0 <= found.total <= 1
    if abs(points) < 8:
        assert log(found.total / (1 - found.total)) == pytest.approx(points, abs=0.2)


def test_the_gate_is_three_tenths() -> None:
    at_gate = log(GATE / (1 - GATE))
    assert GATE == CaptureSettings().gate == 0.30
    assert Memorability(bias=0, substance=at_gate + 0.01).passes()
    assert not Memorability(bias=0, substance=at_gate - 0.01).passes()


def test_what_comes_close_to_a_memory_loses_points_and_what_is_known_never_passes() -> None:
    totals = [Memorability(bias=0, familiarity=2, novelty=each / 10).total for each in range(11)]
    assert totals == sorted(totals) and totals[0] < totals[2] < totals[4] == totals[10]
    assert not Memorability(bias=9, novelty=0.05).passes()


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
    for short in ({"run": "ls", "out": "a"}, {"prompt": "thanks, looks great now"}):
        judge(SegmentState(), make_event(short), novelty=lambda text: asked.append(text) or 1.0)  # type: ignore[func-returns-value]
    assert asked == []


def test_what_bears_on_the_task_is_more_salient() -> None:
    found = Candidate(text="redis timeout in the cart", type=Type.DISCOVERY, origin=Origin.TOOL, title="x")
    near = TaskContext(focus=("redis", "cart"), files=())
    assert score_candidate(found, context=near).salience > score_candidate(found).salience


def test_a_stricter_gate_keeps_less() -> None:
    assert judge(SegmentState(), make_event(RULE), settings=CaptureSettings(gate=0.2)).kept
    assert not judge(SegmentState(), make_event(RULE), settings=CaptureSettings(gate=0.99)).kept


def test_the_candidates_of_a_prompt_share_its_score() -> None:
    found = prompt_candidates("Always use pnpm. Never commit to main. The staging server uses port 5433 for `psql`.")
    assert len(found) == 3
    assert len({score_candidate(each).total for each in found}) == 1


def test_what_spoke_for_and_against_is_listed_with_the_strongest_first() -> None:
    found = read_prompt("From now on use uv here, never pip.").score()
    weights = load_table(SHORT)
    assert found.reasons[0] == ("mostly rules", weights["mostly rules"].weight)
    assert any(name.startswith('"') for name, _ in found.reasons)
    sizes = [abs(points) for _, points in found.reasons]
    assert sizes == sorted(sizes, reverse=True)
    assert found.bias == weights[BIAS].weight


def test_a_message_without_words_is_weighed_too() -> None:
    assert 0 < score_message(PROMPTS, read_prompt("").signals, ()).total < GATE


@pytest.mark.parametrize(
    "said",
    [
        "the CI machine has no docker",
        "our users are mostly on slow 3g connections",
        "comments in english only",
        "branch names start with the ticket number",
        "ask me before installing new dependencies",
        "wir loggen nie personenbezogene Daten",
        "les prix sont toujours hors taxes",
        "el equipo de datos lee esa tabla cada noche",
        "変数名は英語にすること",
        "数据库字段用下划线命名",
    ],
)
def test_a_short_statement_that_lasts_is_worth_a_trial(said: str) -> None:
    [found] = prompt_candidates(said)
    assert score_candidate(found).total >= 0.4


@pytest.mark.parametrize(
    "said",
    [
        "fix the failing test",
        "add a log call in checkout.py",
        "use a dict there instead of a list",
        "the error is still there",
        "let's move on to the settings page",
        "ajoute un champ téléphone au formulaire",
        "el gráfico sale vacío",
        "グラフが表示されません",
        "登录页面打不开",
    ],
)
def test_a_short_request_or_report_stays_below_the_gate(said: str) -> None:
    assert all(not score_candidate(each).passes() for each in prompt_candidates(said))


def test_a_long_prompt_is_scored_as_a_long_one_only() -> None:
    prompt = read_prompt("The CI machine has no docker. " * 4)
    sentences = [each.words for each in prompt.said]
    assert not prompt.is_short and prompt.score() == score_message(PROMPTS, prompt.signals, sentences)
