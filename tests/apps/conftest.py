"""A home in which an app is registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.talking import AppSandbox
from tests.operations.sandbox import isolate_environment


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppSandbox:
    isolate_environment(monkeypatch, tmp_path)
    return AppSandbox(tmp_path)
