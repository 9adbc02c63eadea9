"""Events go to their stages in order, and what a stage reports goes to the stages of that."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from limpet.errors import StoreFull
from limpet.learning.bus import Bus, Stage
from limpet.model.event import BoundaryCrossed, DraftDropped, Event, PromptSubmitted

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PROMPT = PromptSubmitted(session="s", at=NOW, text="hello")


def test_stages_run_in_the_order_of_their_numbers_and_report_what_they_caused() -> None:
    order = []

    def first(event: Event) -> Iterable[Event]:
        order.append("first")
        return (BoundaryCrossed(session="s", at=NOW, summary="x"),)

    def second(event: Event) -> Iterable[Event]:
        order.append("second")
        return ()

    def of_that(event: Event) -> Iterable[Event]:
        order.append("of that")
        yield DraftDropped(session="s", at=NOW, reason="routine")

    bus = Bus(
        [
            Stage(on=PromptSubmitted, number=100, name="second"),
            Stage(on=BoundaryCrossed, number=95, name="of that"),
            Stage(on=PromptSubmitted, number=90, name="first"),
            Stage(on=PromptSubmitted, number=80, name="of another bus"),
        ],
        {"first": first, "second": second, "of that": of_that},
        log=order.append,
    )
    caused = bus.publish(PROMPT)
    assert order == ["first", "second", "of that"]
    assert [type(each) for each in caused] == [BoundaryCrossed, DraftDropped]


def test_a_stage_that_fails_is_logged_and_the_others_run() -> None:
    ran: list[str] = []

    def failing(event: Event) -> Iterable[Event]:
        raise RuntimeError("broken")

    def fine(event: Event) -> Iterable[Event]:
        ran.append("fine")
        return ()

    logged: list[str] = []
    bus = Bus(
        [
            Stage(on=PromptSubmitted, number=1, name="failing"),
            Stage(on=PromptSubmitted, number=2, name="fine"),
        ],
        {"failing": failing, "fine": fine},
        log=logged.append,
    )
    assert bus.publish(PROMPT) == ()
    assert ran == ["fine"]
    assert logged == ["failing failed at PromptSubmitted: RuntimeError: broken"]


def test_an_error_of_the_store_is_not_a_failing_stage() -> None:
    """Without the store no stage can work, and the event must not count as used up."""

    def failing(event: Event) -> Iterable[Event]:
        raise StoreFull("no space left on the disk")

    bus = Bus([Stage(on=PromptSubmitted, number=1, name="failing")], {"failing": failing}, log=pytest.fail)
    with pytest.raises(StoreFull):
        bus.publish(PROMPT)
