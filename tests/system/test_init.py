"""Files and locks: locks are tested here, the rest through the modules that use it."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet import clock, system


def test_a_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with system.lock(path) as first, system.lock(path) as second:
        assert (first, second) == (True, False)
    with system.lock(path) as again:
        assert again


def test_a_lock_that_is_released_in_time_is_acquired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "lock")
    fd = system.try_lock(path)
    assert fd is not None
    pauses: list[int] = []

    def pause(milliseconds: int) -> None:
        pauses.append(milliseconds)
        if len(pauses) == 2:
            system.unlock(fd)

    monkeypatch.setattr(clock, "pause", pause)
    with system.lock(path, clock.attempts(60_000, every_ms=7)) as is_held:
        assert is_held
    assert pauses == [7, 7]


def test_without_a_timeout_there_is_one_attempt() -> None:
    assert list(clock.attempts(0)) == [None]
