"""The verdict of a report counts what the table of signals counts, in plain English."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.insight.friction.measures import ConversationMeasures
from limpet.insight.friction.report import make_report
from limpet.insight.friction.signals import Signal, SignalEvent

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def measured(number: int, *signals: Signal) -> ConversationMeasures:
    return ConversationMeasures(
        session=f"session-{number}",
        host="claude-code",
        project="shop",
        begins=NOON,
        ends=NOON,
        is_scripted=False,
        turns=3,
        tools=0,
        errors=0,
        successes=0,
        refused=0,
        checkpoints=0,
        signals=tuple(SignalEvent(signal=each, at=NOON, turn=1, incident=number) for each in signals),
        evidence=(),
    )


GIVEN_UP = (Signal.USER_INTERVENTION, Signal.USER_NEGATION, Signal.FALSE_SUCCESS)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (
            (GIVEN_UP,),
            "1 of 6 conversations with more than one prompt was BAD; 1 objection of the user; 1 false claim of success",
        ),
        (
            ((*GIVEN_UP, Signal.USER_CURSE), GIVEN_UP),
            "2 of 6 conversations with more than one prompt were BAD; 2 objections of the user; 1 curse of the user; "
            "2 false claims of success",
        ),
    ],
)
def test_a_verdict_counts_as_the_table_of_signals_does(bad: tuple[tuple[Signal, ...], ...], said: str) -> None:
    conversations = [measured(number, *(bad[number] if number < len(bad) else ())) for number in range(6)]
    report = make_report(conversations, made_at=NOON, since=None, until=None)
    assert "; ".join(report.verdict.reasons) == said
    assert report.signals[Signal.USER_NEGATION] == len(bad)
