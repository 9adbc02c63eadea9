"""The table says which stage runs on which event, and every row of it is run by some bus."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from limpet.learning.stages import ANSWERING, LEARNING, TABLE, UPKEEP, capabilities, upkeep_stages
from limpet.model.event import PromptSubmitted, SessionEnded, ToolFinished
from limpet.operations import upkeep
from limpet.upkeep import round as rounds
from limpet.upkeep.plan import Plan
from tests.operations.sandbox import Sandbox, isolate_environment


def test_the_table_says_which_stage_runs_where() -> None:
    of_a_tool = [(row.number, row.name) for row in TABLE if row.on is ToolFinished]
    assert of_a_tool == [(50, "fix"), (90, "boundaries"), (100, "capture"), (110, "temporal")]
    assert next((row.number, row.name) for row in TABLE if row.on is PromptSubmitted) == (50, "inject")
    assert [(row.number, row.name) for row in TABLE if row.on is SessionEnded][-2:] == [
        (200, "consolidation"),
        (300, "compression"),
    ]


def test_every_row_is_run_by_a_bus() -> None:
    assert {row.name for row in TABLE} == {*ANSWERING, *LEARNING, *UPKEEP}
    stages = upkeep_stages({stage: dict.fromkeys(jobs, lambda: None) for stage, jobs in rounds.STAGES.items()})
    assert [stage.name for stage in stages] == list(rounds.JOBS)
    assert {stage.number for stage in stages} == {200, 300}
    assert set(capabilities()) == {
        "memory.store",
        "memory.memorability",
        "memory.boundaries",
        "memory.temporal",
        "memory.consolidation",
        "memory.compression",
    }


def test_a_capability_is_named_only_while_its_stage_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limpet.learning.stages.UPKEEP", ("consolidation",))
    assert "memory.consolidation" in capabilities()
    assert "memory.compression" not in capabilities()


def test_a_job_of_upkeep_that_fails_is_said_and_the_others_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_environment(monkeypatch, tmp_path)
    sandbox = Sandbox(tmp_path)
    ran: list[str] = []

    def broken(context: object) -> Iterator[Plan]:
        raise RuntimeError("broken")

    def fine(context: object) -> Iterator[Plan]:
        ran.append("fine")
        return iter(())

    stages = {"consolidation": {"repair": broken, "decay": fine}, "compression": {"compression": fine}}
    monkeypatch.setattr(upkeep, "run_upkeep", partial(rounds.run_upkeep, stages=stages))
    with sandbox.open() as runtime:
        answer = upkeep.run(runtime)
    assert ran == ["fine", "fine"]
    assert not answer.finished
    assert answer.notices == [
        "repair failed at SessionEnded: RuntimeError: broken; the other jobs were done",
    ]
