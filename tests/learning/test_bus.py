"""Events go to their stages in order, and what a stage reports goes to the stages of that."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from limpet.learning.bus import Bus, Stage
from limpet.learning.stages import TABLE, capabilities
from limpet.model.event import BoundaryCrossed, DraftDropped, Event, PromptSubmitted, SessionEnded, ToolFinished

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
            Stage(on=PromptSubmitted, number=100, name="second", handler=second),
            Stage(on=BoundaryCrossed, number=95, name="of that", handler=of_that),
            Stage(on=PromptSubmitted, number=90, name="first", handler=first),
        ],
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
            Stage(on=PromptSubmitted, number=1, name="failing", handler=failing),
            Stage(on=PromptSubmitted, number=2, name="fine", handler=fine),
        ],
        log=logged.append,
    )
    assert bus.publish(PROMPT) == ()
    assert ran == ["fine"]
    assert logged == ["failing failed at PromptSubmitted: RuntimeError: broken"]


def test_the_table_says_which_stage_runs_where() -> None:
    of_a_tool = [(row.number, row.name) for row in TABLE if row.on is ToolFinished]
    assert of_a_tool == [(50, "fix"), (90, "boundaries"), (100, "capture"), (110, "temporal")]
    assert next((row.number, row.name) for row in TABLE if row.on is PromptSubmitted) == (50, "inject")
    assert [(row.number, row.name) for row in TABLE if row.on is SessionEnded][-2:] == [
        (200, "consolidation"),
        (300, "compression"),
    ]
    assert set(capabilities()) == {
        "memory.store",
        "memory.memorability",
        "memory.boundaries",
        "memory.temporal",
        "memory.consolidation",
        "memory.compression",
    }
