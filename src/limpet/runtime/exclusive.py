"""Share one runtime between threads, one caller at a time.

A runtime has one connection to the view and one journal writer, and neither serves two threads at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock

from limpet.runtime import Caller, Runtime
from limpet.runtime.serving import RequestPlace


class ExclusiveRuntime:
    """A runtime that is opened at its first use and used by one caller at a time."""

    def __init__(self, open: Callable[[], Runtime]) -> None:
        self._open = open
        self._runtime: Runtime | None = None
        self._lock = RLock()
        # One entry for each caller that waits: appending and removing need no lock.
        self._waiting: list[None] = []

    def is_wanted(self) -> bool:
        """Tell whether a caller waits, so that work that can wait should end."""
        return bool(self._waiting)

    @contextmanager
    def use(self) -> Iterator[Runtime]:
        """Yield the runtime once no other thread uses it."""
        self._waiting.append(None)
        try:
            self._lock.acquire()
        finally:
            self._waiting.pop()
        try:
            if self._runtime is None:
                self._runtime = self._open()
            yield self._runtime
        finally:
            self._lock.release()

    @contextmanager
    def use_at(self, place: RequestPlace, caller: Caller) -> Iterator[Runtime]:
        """Yield a runtime on the same store for the folder and the session of one request."""
        with self.use() as runtime:
            # Another process may have written since the last request.
            runtime.reset_identity()
            yield runtime.open_elsewhere(place.folder, session=place.session, caller=caller, keep_agent=True)

    @contextmanager
    def use_within(self, seconds: float, place: RequestPlace, caller: Caller) -> Iterator[Runtime | None]:
        """Yield a runtime as `use_at` does; None if another thread uses it for longer than `seconds`."""
        if not self._lock.acquire(timeout=seconds):
            yield None
            return
        try:
            with self.use_at(place, caller) as runtime:
                yield runtime
        finally:
            self._lock.release()

    @contextmanager
    def use_if_idle(self) -> Iterator[Runtime | None]:
        """Yield the runtime; None if another thread uses it or it is not open."""
        if not self._lock.acquire(blocking=False):
            yield None
            return
        try:
            yield self._runtime
        finally:
            self._lock.release()

    def close(self, *, timeout: float = -1) -> None:
        """Close the runtime; do nothing if another caller still uses it after `timeout` seconds."""
        if self._lock.acquire(timeout=timeout):
            try:
                if self._runtime is not None:
                    self._runtime.close()
                self._runtime = None
            finally:
                self._lock.release()
