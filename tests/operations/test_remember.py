"""Storing returns an outcome, and a batch is written together."""

from __future__ import annotations

import pytest

from limpet.curating.writing import build_draft, run_many
from limpet.model.memory import Origin
from limpet.model.outcome import Admitted, Duplicate, Rejected
from tests.operations.sandbox import MODEL, PROGRAM, USER, Sandbox


@pytest.mark.parametrize(
    ("caller", "origin"), [(USER, Origin.USER), (MODEL, Origin.AGENT), (PROGRAM, Origin.AGENT)], ids=str
)
def test_a_memory_has_the_origin_of_its_caller(sandbox: Sandbox, caller: object, origin: Origin) -> None:
    assert sandbox.remember("The port is 9090", as_=caller).origin is origin


def test_each_draft_of_a_batch_has_its_outcome(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        drafts = [build_draft(runtime, text=text) for text in ("The port is 9090", "", "The port is 9090", "Use uv")]
        outcomes = run_many(runtime, drafts)
    assert [type(outcome) for outcome in outcomes] == [Admitted, Rejected, Duplicate, Admitted]
    assert sorted(sandbox.texts()) == ["The port is 9090", "Use uv"]


def test_what_was_refused_is_said_and_nothing_is_written(sandbox: Sandbox) -> None:
    answer = sandbox.json("remember", text=" ")
    assert (answer["outcome"], answer["memory"]) == ("rejected", None)
    assert "empty" in answer["reason"]
    assert sandbox.journal() == {}
