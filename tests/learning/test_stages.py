"""The table says which stage runs on which event, and every row of it is run by some bus."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from limpet.capture.state import SegmentState
from limpet.learning.session import SessionLearner
from limpet.learning.stages import TABLE, answering_handlers, capabilities, learning_handlers
from limpet.model.event import PromptSubmitted, ToolFinished, UpkeepStarted
from limpet.operations import upkeep
from limpet.upkeep import round as rounds
from limpet.upkeep.plan import Plan
from tests.operations.sandbox import Sandbox, isolate_environment


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)


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
    monkeypatch.setattr(upkeep, "run_upkeep", partial(rounds.run_upkeep, jobs=jobs))
    with sandbox.open() as runtime:
        answer = upkeep.run(runtime)
    assert ran == ["fine", "fine"]
    assert not answer.finished
    assert answer.notices == [
        "repair failed at UpkeepStarted: RuntimeError: broken; the other jobs were done",
    ]
