"""The tour is real: what it shows of a session was learnt from it, on the way that hooks take."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import pytest

from limpet import clock
from limpet.forms.json import encode_answer
from limpet.forms.terminal import Output
from limpet.forms.views.demo import show_demo
from limpet.operations import demo
from limpet.operations.demo_session import Scene


@pytest.fixture
def scenes() -> list[Scene]:
    return [step for step in demo.run(part="session") if isinstance(step, Scene)]


def told_at(scenes: list[Scene], word: str) -> str:
    return next(scene.told for scene in scenes if word in scene.comment)


def test_what_was_said_and_what_was_mended_is_kept_and_the_rest_is_not(scenes: list[Scene]) -> None:
    kept = {moment.did: [memory.title for memory in moment.kept] for moment in scenes[0].moments}
    assert kept["Please remember: use uv here, never pip."] == ["Use uv here, never pip"]
    assert kept["$ uv run pytest tests/test_checkout.py"] == ["KeyError: 'Germany': fixed in shop/tax.py"]
    assert kept["$ ls shop"] == kept["edits shop/tax.py"] == []
    assert "dropped: 1 below the gate, 3 routine" in scenes[0].remark


def test_the_next_session_is_told_at_its_start(scenes: list[Scene]) -> None:
    told = told_at(scenes, "Tuesday")
    assert told.startswith("[LTM:Anima@shop]")
    assert "~ARCH:MED| Use uv here, never pip." in told
    alone = [line for line in told.splitlines() if "| Round tax per order" in line]
    assert alone == [], "a command's words do not come unasked"


def test_a_prompt_brings_what_fits_as_a_quotation(scenes: list[Scene]) -> None:
    assert "Content: “Round tax per order" in told_at(scenes, "You ask")


def test_the_error_of_monday_brings_its_fix(scenes: list[Scene]) -> None:
    told = told_at(scenes, "invoice test fails")
    assert (
        "Solution: in shop/tax.py, `rate = RATES[order.country]` became `rate = RATES[iso_code(order.country)]`" in told
    )


def test_the_whole_tour_can_be_read_in_one_sitting() -> None:
    stream = io.StringIO()
    show_demo(demo.run(), Output(stream))
    lines = stream.getvalue().splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 100
    assert "limpet setup" in stream.getvalue().partition("Next:")[2]


def test_a_tour_that_is_broken_off_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    steps = demo.run()
    next(steps)
    assert list(tmp_path.iterdir()) != []
    steps.close()  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []


def test_a_program_can_read_the_tour() -> None:
    answer = json.loads(json.dumps(encode_answer(demo.VERB, demo.run(part="session"), clock.now())))
    assert [step["told"] != "" for step in answer["steps"] if "told" in step] == [False, True, True, True]
