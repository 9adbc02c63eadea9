"""A language model may word the shorter text; a bad answer costs nothing."""

from __future__ import annotations

import pytest

from limpet.model.memory import Phase
from limpet.upkeep.condense import condense_text
from tests.upkeep.sandbox import UpkeepSandbox, long
from tests.upkeep.scripted import Scripted


def test_its_words_are_taken(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(2)
    sandbox.upkeep(roles=Scripted("Port 1 is taken: stop the worker."))
    assert sandbox.get(one).memory.content == "Port 1 is taken: stop the worker."
    assert sandbox.ask("restore", id=one.id).stored.memory.content == one.content


@pytest.mark.parametrize("answer", ["", " \n", long(1) * 2])
def test_a_bad_answer_falls_back_to_what_needs_no_model(sandbox: UpkeepSandbox, answer: str) -> None:
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(2)
    sandbox.upkeep(roles=Scripted(answer))
    assert sandbox.get(one).memory.content == condense_text(one.content, Phase.ABSTRACT)


def test_it_may_not_reword_a_summary_that_somebody_wrote(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(f"## Summary\n\nStop the worker.\n\n## Content\n\n{long(1)}", impact="MEDIUM")
    sandbox.work(7)
    sandbox.upkeep(roles=Scripted("Something else."))
    assert "Stop the worker." in sandbox.get(one).memory.content
