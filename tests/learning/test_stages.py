"""The table says which stage runs on which event, and every row of it is run by some bus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial

import pytest

from limpet.capture.state import SegmentState
from limpet.care import tending
from limpet.errors import StoreFull
from limpet.learning.session import SessionLearner
from limpet.learning.stages import TABLE, Bus, Stage, answering_handlers, capabilities, learning_handlers
from limpet.model.event import BoundaryCrossed, DraftDropped, Event, PromptSubmitted, ToolFinished, UpkeepStarted
from limpet.upkeep import round as rounds
from limpet.upkeep.job import Plan
from tests.operations.sandbox import Sandbox


def test_the_table_says_which_stage_runs_where() -> None:
    of_a_tool = [(row.number, row.name) for row in TABLE if row.on is ToolFinished]
    assert of_a_tool == [(50, "fix"), (90, "boundaries"), (100, "capture"), (110, "temporal")]
    assert next((row.number, row.name) for row in TABLE if row.on is PromptSubmitted) == (50, "inject")
    assert [row.name for row in TABLE if row.on is UpkeepStarted] == [*rounds.JOBS, "summarizing"]
    assert {row.number // 100 for row in TABLE if row.capability == "memory.consolidation"} == {2}
    assert {row.number // 100 for row in TABLE if row.capability == "memory.compression"} == {3}


def test_every_stage_has_a_handler(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        context = runtime.context()
        learning = learning_handlers(SessionLearner(context, SegmentState()))
        assert {row.name for row in TABLE} == {*learning, *answering_handlers(context), *rounds.JOBS, "summarizing"}


def test_a_capability_is_named_only_while_a_stage_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(capabilities()) == {
        "memory.store",
        "memory.memorability",
        "memory.boundaries",
        "memory.temporal",
        "memory.consolidation",
        "memory.compression",
    }
    monkeypatch.setattr("limpet.learning.stages.TABLE", [row for row in TABLE if row.number < 300])
    assert "memory.consolidation" in capabilities()
    assert "memory.compression" not in capabilities()


def test_a_job_of_upkeep_that_fails_is_said_and_the_others_run(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def broken(context: object) -> Iterator[Plan]:
        raise RuntimeError("broken")

    def fine(context: object) -> Iterator[Plan]:
        ran.append("fine")
        return iter(())

    jobs = {"decay": fine, "repair": broken, "compression": fine}
    monkeypatch.setattr(tending, "run_upkeep", partial(rounds.run_upkeep, jobs=jobs))
    with sandbox.open() as runtime:
        answer = tending.run_round(runtime)
    assert ran == ["fine", "fine"]
    assert not answer.finished
    assert answer.notices == [
        "repair failed at UpkeepStarted: RuntimeError: broken; the other jobs were done",
    ]


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
