"""No line is stored whose memory would hide an answer that somebody was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.insight.distil.admission import find_hidden_answer
from limpet.model.change import ChangeKind, change_memory
from tests.operations.sandbox import Sandbox, isolate_environment


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)


def test_a_change_that_hides_an_answer_is_found(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The gateway listens on port 8080")
    with sandbox.open() as runtime:
        hiding = [change_memory(ChangeKind.SUPERSEDE, memory, {"by": memory.id}, actor="user:anima")]
        assert find_hidden_answer(hiding, runtime.reading()) is None
    sandbox.ask("recall", query="which port does the gateway listen on?")
    with sandbox.open() as runtime:
        assert find_hidden_answer(hiding, runtime.reading()) == memory.id
