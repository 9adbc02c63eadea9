"""A sandbox for every test that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.sandbox import Sandbox, isolate_environment


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)
