"""Fixtures for all tests, where their folders are, and the Hypothesis profile: the same examples every time."""

from __future__ import annotations

import gc
import os
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


MEMORY = "/dev/shm"
_ENOUGH_BYTES = 1 << 30


def _has_room_in_memory() -> bool:
    """Tell whether the system has a folder in memory that is large enough and lets programs be run from it."""
    try:
        found = os.statvfs(MEMORY)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize >= _ENOUGH_BYTES and not found.f_flag & os.ST_NOEXEC


if _has_room_in_memory():
    # Limpet syncs whatever it writes, and no test measures a disk. pytest makes its folders below this one, unless
    # `--basetemp` names another.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)


def pytest_collection() -> None:
    """Switch the garbage collector off while tests are collected: all the objects it would search stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a path for a home, which does not exist yet."""
    return tmp_path / "home"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """Return a home and a project, apart from the tester's own environment."""
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)
