"""A shell for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.notes import FIRST, SECOND, THIRD, capture
from tests.cli.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


@pytest.fixture
def notes(shell: Shell) -> Shell:
    """Return a shell with three notes, the best first."""
    capture(shell, FIRST, SECOND, THIRD)
    return shell
