"""Fixtures for all tests, and the Hypothesis profile: the same examples every time, no deadline."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.operations.sandbox import Sandbox, isolate_environment

settings.register_profile(
    "limpet",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("limpet")


@pytest.fixture
def home() -> Iterator[Path]:
    """Yield a path for a home, in memory where the system has that: no test here measures a disk."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        yield Path(folder) / "home"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """Return a home and a project, apart from the tester's own environment."""
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)
