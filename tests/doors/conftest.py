"""A sandbox for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.sandbox import Sandbox, isolate_environment


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate_environment(monkeypatch, tmp_path)


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)
