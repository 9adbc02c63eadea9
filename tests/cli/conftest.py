"""A shell for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)
