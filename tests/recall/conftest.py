"""A sandbox for every test, empty or with five memories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.sandbox import Sandbox, isolate_environment
from tests.recall.searching import ANSWERS, LEAK, MIGRATIONS, PORT, TIMEOUT


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate_environment(monkeypatch, tmp_path)


@pytest.fixture
def filled(sandbox: Sandbox) -> Sandbox:
    for text in (MIGRATIONS, PORT, ANSWERS, LEAK, TIMEOUT):
        sandbox.ask("remember", text=text)
    return sandbox
