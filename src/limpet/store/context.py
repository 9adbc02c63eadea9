"""What the parts of an open store share: lock, journal, files, settings, and the notices for the user."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

from limpet import clock, system
from limpet.errors import StoreError
from limpet.lean.record import field, mutable
from limpet.model.keyring import NO_KEYS, KeyRing
from limpet.settings import StoreSettings
from limpet.store.index import IndexFile
from limpet.store.journal.backup import Backup
from limpet.store.journal.protocol import Journal
from limpet.store.protocol import Progress

NEWER = "this store was written by a newer Limpet; it can be read but not changed here: upgrade Limpet"

_SKIP_MS = 1000


class ApplyLock:
    """A lock that nobody has to wait long for."""

    def __init__(self, home: str, patience_ms: int) -> None:
        self._path = os.path.join(home, "locks", "apply")
        self.patience_ms = patience_ms
        self._skip_until = 0

    @contextlib.contextmanager
    def hold(self, wait_ms: int | None = None) -> Iterator[bool]:
        """Yield True if this process holds the lock, False if another one did not release it in time."""
        if wait_ms is None:
            wait_ms = 0 if self.is_skipped() else self.patience_ms
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


@mutable
class StoreContext:
    """The one bundle that every part of a store is given."""

    home: str
    journal: Journal
    backup: Backup
    index: IndexFile
    lock: ApplyLock
    settings: StoreSettings
    now_ms: Callable[[], int]
    progress: Progress
    hurried: bool
    """Whether a hook waits: then only a little is applied, and nothing is mended, erased or embedded."""
    is_absent: bool
    """Whether there was no home yet when the store was opened."""
    writable: bool
    notices: list[str]
    """Sentences for the user about what was found and mended."""
    keys: Callable[[], KeyRing] = lambda: NO_KEYS
    """Return the keys of the home, by which changes are signed and judged."""
    newer: bool = False
    """Whether a newer Limpet has written to this store."""
    highest: str = ""
    """The highest id of a change that was applied; ids that we give come after it."""
    missing: int = 0
    """How many changes the last rebuild could not find again."""
    accounted: set[str] = field(default_factory=set)
    """Segments whose losses were looked into and reported: only their high-water marks may sink."""

    def is_own(self, segment: str) -> bool:
        """Tell whether this device writes to a segment."""
        with contextlib.suppress(OSError, StoreError):
            return segment.startswith(f"{self.journal.device}/")
        return False

    def tell_once(self, notice: str) -> None:
        """Add a notice unless it was given before."""
        if notice not in self.notices:
            self.notices.append(notice)

    def note_newer(self) -> None:
        """Note that a newer Limpet has written to this store, and tell the user once."""
        self.newer = True
        self.tell_once(NEWER)

    def tell_in_use(self, segment: str) -> None:
        """Tell that a damaged segment could not be mended yet."""
        self.notices.append(f"the journal segment {segment} is damaged and in use; run any command again to mend it")
