"""A job that would retire much of a scope waits until a person agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.care.tending import tend
from limpet.errors import Refused, UsageError
from limpet.upkeep.consent import Stop, load_stops, save_stops
from tests.operations.sandbox import MODEL
from tests.upkeep.sandbox import UpkeepSandbox
from tests.upkeep.similar_texts import ALIKE, OTHERS


def fill_with_alike(sandbox: UpkeepSandbox) -> str:
    """Store memories of which compression would retire more than a fifth; return what agrees to that."""
    sandbox.fill(OTHERS[:8])
    sandbox.fill(ALIKE)
    sandbox.rest(8)
    with sandbox.open() as runtime:
        assert runtime.project is not None
        return f"compression@{runtime.project.id}"


def test_more_than_a_fifth_of_a_scope_is_asked_about_first(sandbox: UpkeepSandbox) -> None:
    name = fill_with_alike(sandbox)
    before = sandbox.state()
    answer = sandbox.upkeep()
    assert answer.done == {} and "would hide 3 of 11 memories of the project shop by merging" in answer.notices[0]
    assert sandbox.state() == before
    assert f"limpet upkeep --agree {name}" in answer.notices[0]
    assert sandbox.json("upkeep", agree=[name])["done"] == {"compression": 3}


def test_who_agrees_to_one_job_in_one_scope_agrees_to_nothing_else(sandbox: UpkeepSandbox) -> None:
    name = fill_with_alike(sandbox)
    for other in (name.replace("compression", "decay"), "compression@prj_000000000000000000000000"):
        assert sandbox.json("upkeep", agree=[other])["done"] == {}
    for nonsense in ("compression", "everything@here", "", "@"):
        with pytest.raises(UsageError):
            sandbox.ask("upkeep", agree=[nonsense])


def test_who_agreed_to_few_is_asked_again_about_many(sandbox: UpkeepSandbox) -> None:
    name = fill_with_alike(sandbox)
    save_stops(
        str(sandbox.home), [Stop(job="compression", scope=name.partition("@")[2], retires=1, active=11)], jobs=()
    )
    assert sandbox.json("upkeep", agree=[name])["done"] == {}
    assert sandbox.json("upkeep", agree=[name])["done"] == {"compression": 3}


def test_a_job_that_stopped_is_told_by_the_doctor_until_it_is_done(sandbox: UpkeepSandbox) -> None:
    name = fill_with_alike(sandbox)
    sandbox.upkeep(dry_run=True)
    assert load_stops(str(sandbox.home)) == ()
    with sandbox.open(MODEL) as runtime:
        tend(runtime)
    [told] = [text for text in sandbox.ask("doctor").warnings if "would hide" in text]
    assert f"--agree {name}" in told
    sandbox.ask("upkeep", only="decay")
    assert len(load_stops(str(sandbox.home))) == 1
    sandbox.ask("upkeep", agree=[name])
    assert load_stops(str(sandbox.home)) == ()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "[1]", '[{"job": 1}]', "7"])
def test_a_damaged_list_of_what_waits_is_an_empty_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "waiting.json").write_text(text)
    assert load_stops(str(tmp_path)) == ()


def test_only_a_person_may_agree(sandbox: UpkeepSandbox) -> None:
    with pytest.raises(Refused):
        sandbox.ask("upkeep", agree=["decay@anima"], as_=MODEL)
