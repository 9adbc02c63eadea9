"""The lock of the shared index: whoever holds it applies new changes for everyone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from limpet import clock, system

_SKIP_MS = 1000


class ApplyLock:
    """A lock that nobody has to wait long for."""

    def __init__(self, home: str, patience_ms: int) -> None:
        self._path = os.path.join(home, "locks", "apply")
        self._patience_ms = patience_ms
        self._skip_until = 0

    @contextlib.contextmanager
    def hold(self, wait_ms: int | None = None) -> Iterator[bool]:
        """Yield True if this process holds the lock, False if another one did not release it in time."""
        wait_ms = self._patience_ms if wait_ms is None else wait_ms
        deadline = clock.monotonic_ms() + wait_ms
        fd = system.try_lock(self._path)
        while fd is None and clock.monotonic_ms() < deadline:
            clock.pause(4)
            fd = system.try_lock(self._path)
        if fd is None and wait_ms:
            self.skip_for_a_while()
        try:
            yield fd is not None
        finally:
            if fd is not None:
                system.unlock(fd)

    def skip_for_a_while(self) -> None:
        """Skip the lock for a second, so that one stopped process does not delay every query."""
        self._skip_until = clock.monotonic_ms() + _SKIP_MS

    def is_skipped(self) -> bool:
        """Tell whether the last attempt to use the shared index has failed a moment ago."""
        return clock.monotonic_ms() < self._skip_until
