"""A sandbox for every test, and three similar memories in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.model.memory import Memory
from tests.operations.sandbox import isolate_environment
from tests.upkeep.sandbox import UpkeepSandbox
from tests.upkeep.similar_texts import ALIKE, OTHERS


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate_environment(monkeypatch, tmp_path)


@pytest.fixture
def sandbox(tmp_path: Path) -> UpkeepSandbox:
    return UpkeepSandbox(tmp_path)


@pytest.fixture
def old(sandbox: UpkeepSandbox) -> list[Memory]:
    """Return three similar memories, eight days old, stored among many others."""
    sandbox.fill(OTHERS)
    found = sandbox.fill(ALIKE)
    sandbox.rest(8)
    return found
