"""The origin of a memory decides where it may be told without being asked for."""

from __future__ import annotations

import pytest

from limpet.model.memory import Origin, Phase, Tier, Type
from limpet.model.reach import Feedback, Reach, reach_of
from tests.model.making import memory


@pytest.mark.parametrize(
    ("origin", "reach"),
    [
        (Origin.USER, Reach.START),
        (Origin.AGENT, Reach.START),
        (Origin.TOOL, Reach.PROMPT),
        (Origin.FILE, Reach.ASKED),
        (Origin.IMPORT, Reach.ASKED),
        (Origin.EXTERNAL, Reach.ASKED),
    ],
)
def test_the_origin_decides_until_the_user_confirms(origin: Origin, reach: Reach) -> None:
    assert reach_of(memory(origin=origin, type=Type.CHANGE)) is reach
    assert reach_of(memory(origin=origin, type=Type.CHANGE, confirmed=True)) is Reach.START


@pytest.mark.parametrize("origin", [Origin.USER, Origin.AGENT, Origin.TOOL])
def test_what_is_only_noted_never_reaches_the_start(origin: Origin) -> None:
    assert reach_of(memory(origin=origin, tier=Tier.NOTED)) is Reach.PROMPT
    assert reach_of(memory(origin=origin, tier=Tier.NOTED, confirmed=True)) is Reach.START


def test_what_a_tool_said_reaches_the_start_if_it_was_chosen_or_used() -> None:
    assert reach_of(memory(origin=Origin.TOOL, earned="curated by claude")) is Reach.START
    assert reach_of(memory(origin=Origin.AGENT, earned="curated by claude, for its topic")) is Reach.PROMPT
    assert reach_of(memory(origin=Origin.TOOL, earned="stored on purpose")) is Reach.PROMPT
    assert reach_of(memory(origin=Origin.TOOL, type=Type.SESSION_SUMMARY)) is Reach.PROMPT
    assert reach_of(memory(origin=Origin.EXTERNAL, earned="curated by claude")) is Reach.ASKED


@pytest.mark.parametrize(
    ("feedback", "reach"),
    [
        (Feedback.USEFUL, Reach.START),
        (Feedback.STALE, Reach.PROMPT),
        (Feedback.WRONG, Reach.ASKED),
        (Feedback.NEVER, Reach.ASKED),
    ],
)
def test_feedback_only_shortens_the_reach(feedback: Feedback, reach: Reach) -> None:
    assert reach_of(memory(origin=Origin.USER), feedback) is reach
    assert reach_of(memory(origin=Origin.EXTERNAL), feedback) is Reach.ASKED


def test_an_archived_memory_is_given_only_on_request() -> None:
    assert reach_of(memory(origin=Origin.USER, phase=Phase.ARCHIVED, confirmed=True)) is Reach.ASKED
