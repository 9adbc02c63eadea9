"""Share a runtime between threads, one caller at a time.

A runtime has one connection to the index and one journal writer, and two threads must not use either at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock

from limpet.runtime import Caller, Runtime
from limpet.runtime.serving import RequestPlace


class ExclusiveRuntime:
    """A runtime that is opened on first use and used by one caller at a time."""

    def __init__(self, open: Callable[[], Runtime]) -> None:
        self._open = open
        self._runtime: Runtime | None = None
        self._lock = RLock()
        # One entry for each caller that waits: appending and removing need no lock.
        self._waiting: list[None] = []

    def is_wanted(self) -> bool:
        """Tell whether a caller is waiting for the runtime, so that background work should stop."""
        return bool(self._waiting)

    @contextmanager
    def use(self) -> Iterator[Runtime]:
        """Wait until no other thread is using the runtime, then yield it for exclusive use."""
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
        """Yield a runtime that uses the same store, for the folder and session of a request."""
        with self.use() as runtime:
            # Another process may have written since the last request.
            runtime.reset_identity()
            yield runtime.open_elsewhere(place.folder, session=place.session, caller=caller, keep_agent=True)

    @contextmanager
    def use_within(self, seconds: float, place: RequestPlace, caller: Caller) -> Iterator[Runtime | None]:
        """Yield a runtime as `use_at` does, or None if another thread does not release it within `seconds`."""
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
        """Yield the runtime, or None if another thread is using it or it is not open yet."""
        if not self._lock.acquire(blocking=False):
            yield None
            return
        try:
            yield self._runtime
        finally:
            self._lock.release()

    def close(self, *, timeout: float = -1) -> None:
        """Close the runtime. Do nothing if another thread is still using it after `timeout` seconds.

        A timeout of -1 means to wait as long as necessary.
        """
        if self._lock.acquire(timeout=timeout):
            try:
                if self._runtime is not None:
                    self._runtime.close()
                self._runtime = None
            finally:
                self._lock.release()
