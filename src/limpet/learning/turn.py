"""Whose turn it is: only one at a time learns from sessions, or erases what could be learnt from them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from limpet import clock, system
from limpet.errors import from_os_error

PATIENCE_MS = 30_000
"""What a person's command waits for; a worker of a hook has the turn for moments only."""


@contextlib.contextmanager
def turn(home: str, *, doing: str = "learn", patience_ms: int = 0) -> Iterator[bool]:
    """Whether it is ours; `doing` is said where there can be none."""
    lock = _lock(home, doing, patience_ms)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            system.unlock(lock)


def _lock(home: str, doing: str, patience_ms: int) -> int | None:
    deadline = clock.monotonic_ms() + patience_ms
    locks = os.path.join(home, "locks")
    try:
        for folder in (home, locks):
            system.private_directory(folder)
        while (lock := system.try_lock(os.path.join(locks, "capture"))) is None and clock.monotonic_ms() < deadline:
            clock.pause(50)
    except OSError as error:
        raise from_os_error(error, doing) from error
    return lock
