"""A folder outside of any repository for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder by its canonical name, outside the home folder."""
    folder = Path(os.path.realpath(tmp_path)) / "ground"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder / "nobody"))
    return folder
