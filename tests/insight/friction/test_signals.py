"""An incident counts once, and only a reaction of the user makes a session bad."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.insight.friction.signals import Quality, Signal, SignalEvent, add_up, rate_quality

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def make_events(*signals: Signal, incident: int | None = None) -> tuple[SignalEvent, ...]:
    return tuple(
        SignalEvent(signal=signal, at=NOW, turn=1, incident=number if incident is None else incident)
        for number, signal in enumerate(signals)
    )


def test_an_incident_counts_with_its_heaviest_signal() -> None:
    one, other = Signal.USER_CURSE, Signal.USER_NEGATION
    assert add_up(make_events(one, other, incident=1)) == max(one.weight, other.weight)
    assert add_up(make_events(one, other)) == one.weight + other.weight
    assert add_up(()) == 0


@pytest.mark.parametrize(
    ("signals", "quality"),
    [
        ((), Quality.OK),
        ((Signal.USER_NEGATION,), Quality.OK),
        ((Signal.USER_NEGATION, Signal.USER_NEGATION), Quality.FRICTION),
        ((Signal.USER_CURSE,), Quality.FRICTION),
        ((Signal.USER_CURSE, Signal.SESSION_ABANDONED), Quality.BAD),
    ],
)
def test_the_reactions_of_the_user_decide(signals: tuple[Signal, ...], quality: Quality) -> None:
    assert rate_quality(make_events(*signals), errors=0, successes=5) is quality


def test_many_errors_make_a_session_rough() -> None:
    assert rate_quality((), errors=4, successes=3) is Quality.ROUGH
    assert rate_quality((), errors=3, successes=0) is Quality.OK


def test_every_signal_and_quality_is_explained() -> None:
    assert all(each.meaning for each in (*Signal, *Quality))
