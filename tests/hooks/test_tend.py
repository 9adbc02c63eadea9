"""After a start, the queue is learnt from and a slice of upkeep is done, in the project of the payload."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet import clock
from limpet.hooks.tend import tend_store
from limpet.queue import files as queue
from limpet.queue.tidy import tidy_payload
from tests.operations.sandbox import Sandbox, isolate_environment

RULE = "From now on always use pnpm instead of npm in this repository."


def test_what_is_queued_is_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_environment(monkeypatch, tmp_path)
    sandbox = Sandbox(tmp_path)
    monkeypatch.setenv("LIMPET_HOME", str(sandbox.home))
    now, folder = clock.now_ms(), str(sandbox.project)
    payload = {"session_id": "s1", "cwd": folder, "hook_event_name": "UserPromptSubmit", "prompt": RULE}
    seen = {"at": now, "host": "claude-code", "dir": folder, "payload": tidy_payload(payload)}
    queue.append(str(sandbox.home), "s1", seen, now_ms=now)
    tend_store({"session_id": "s2", "cwd": folder}, budget_ms=20_000, model_ms=0)
    assert sandbox.texts() == [RULE]
