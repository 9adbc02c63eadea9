"""What the parts of an open store share: lock, journal, index file, settings, and the notices for the user.

High-water marks say how many records each segment once had, in a file apart from the journal and the view. If journal
and view both have fewer records, something was lost and the user is told; without the marks, an emptied file would look
like a fresh start. The same file has the time of the last backup and the stamp that the index file had after Limpet
last wrote it: if another program has touched the index since, it is checked before it is trusted. If the home has a
key, the counts are signed, so that nobody can cut the end of a segment and lower its mark unnoticed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

import apsw

from limpet import clock, system
from limpet.errors import StoreError
from limpet.lean import quickjson
from limpet.lean.record import field, mutable
from limpet.model.keyring import NO_KEYS, KeyRing
from limpet.settings import StoreSettings
from limpet.store.journal.protocol import Journal
from limpet.store.journal.segments import DAMAGED, set_aside
from limpet.store.protocol import Progress
from limpet.store.view.open import View, connect, create_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.store.journal.backup import Backup

NEWER = "this store was written by a newer Limpet; it can be read but not changed here: upgrade Limpet"

BUSY = (apsw.BusyError, apsw.LockedError)

_INDEX = "index.db"
_MARKS = "marks.json"
_PURPOSE = "marks"
_LOG_BYTES = 4 << 20
"""A log of more bytes than this is written into the index file."""
_SKIP_MS = 1000

FileStamp = tuple[int, int]
"""Size and modification time of a file."""


@mutable
class HighWater:
    """The number of records each segment has had, the stamp of the index file, and the time of the last backup."""

    records: dict[str, int] = field(default_factory=dict)
    index: FileStamp | None = None
    backup_ms: int = 0
    key: str = ""
    code: str = ""
    """The id of the key that signed the counts, and its code over them."""

    @classmethod
    def load(cls, home: str) -> HighWater:
        """Return the high-water marks; they are empty if the file is missing or broken.

        Missing marks cost a check, but never a memory.
        """
        try:
            with open(os.path.join(home, _MARKS), encoding="utf-8") as file:
                found = quickjson.loads(file.read(), strict=True)
            index = found.get("index")
            return cls(
                records={str(name): int(count) for name, count in found["records"].items()},
                index=(int(index[0]), int(index[1])) if index else None,
                backup_ms=int(found.get("backup_ms", 0)),
                key=str(found.get("key", "")),
                code=str(found.get("mac", "")),
            )
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return cls()

    def sign(self, keys: KeyRing) -> None:
        """Sign the counts if the home has a key."""
        self.key = keys.newest
        self.code = keys.code(_PURPOSE, self._signed_bytes()) if keys.newest else ""

    def is_forged(self, keys: KeyRing) -> bool:
        """Tell whether the counts lack a valid signature although this home has the key."""
        if not keys.keys or not self.records:
            return False
        return not self.code or keys.fits(_PURPOSE, self.key, self._signed_bytes(), self.code) is False

    def _signed_bytes(self) -> bytes:
        return quickjson.dumps(self.records, is_sorted=True, spaced=True).encode()

    def save(self, home: str) -> None:
        """Write the high-water marks to their file."""
        found: dict[str, object] = {"records": self.records, "index": self.index, "backup_ms": self.backup_ms}
        if self.code:
            found |= {"key": self.key, "mac": self.code}
        system.write_atomically(os.path.join(home, _MARKS), quickjson.dumps(found).encode(), durable=False)


def stamp_of(path: str) -> FileStamp | None:
    """Return the stamp of a file, or None if the file cannot be examined."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns


class IndexFile:
    """The index file of a home, and the stamp that it had after Limpet last wrote it."""

    def __init__(self, home: str) -> None:
        self._home = home
        self.path = os.path.join(home, _INDEX)
        self._inode = 0
        self._stamp: FileStamp | None = None
        self.is_checked = True
        """Whether the index was checked after another program had touched it; if not, its stamp is not saved."""

    def inode(self) -> int:
        """Return the inode of the index file; 0 if the file is missing."""
        try:
            return os.stat(self.path).st_ino
        except OSError:
            return 0

    def note_opened(self) -> None:
        """Remember the identity of the file that was opened, and restrict access to its owner."""
        self._inode = os.stat(self.path).st_ino
        self._stamp = stamp_of(self.path)
        system.restrict_files(self.path, f"{self.path}-wal", f"{self.path}-shm")

    def note_written(self) -> FileStamp | None:
        """Remember and return the stamp of the file after writing to it."""
        self._stamp = stamp_of(self.path)
        return self._stamp

    def is_unchanged(self) -> bool:
        """Tell whether the open file is still the one at its path, and no other program has written to it."""
        try:
            info = os.stat(self.path)
        except OSError:
            return False
        stamp = (info.st_size, info.st_mtime_ns)
        if stamp != self._stamp and HighWater.load(self._home).index == stamp:
            self._stamp = stamp
        return info.st_ino == self._inode and stamp == self._stamp

    def is_replaced(self) -> bool:
        """Tell whether another process has rebuilt the index, so that the open file is no longer the index."""
        return self.inode() != self._inode

    def create(self) -> View:
        """Replace the file with an empty index that is marked as unfinished."""
        self.remove()
        self.is_checked = True
        os.close(system.open_private(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL))
        connection = connect(self.path, create=True)
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchall()
            connection.execute("PRAGMA journal_size_limit=8388608").fetchall()
            create_tables(connection, version=0)
        except (apsw.Error, OSError):
            connection.close()
            raise
        return View(connection)

    def remove(self) -> None:
        """Remove the file and its log."""
        for suffix in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path + suffix)

    def set_aside(self, now_ms: int) -> list[str]:
        """Move the index file and its log to the folder of damaged files, and return their new paths.

        Empty ones stay where they are.
        """
        paths = [self.path + suffix for suffix in ("-wal", "-shm", "")]
        stamps = [stamp_of(path) for path in paths]
        return [
            set_aside(self._home, path, now_ms)
            for path, stamp in zip(paths, stamps, strict=True)
            if stamp is not None and stamp[0]
        ]

    def remove_set_aside(self) -> None:
        """Remove index files that were set aside, because they may hold a purged text."""
        for path in system.walk_files(os.path.join(self._home, DAMAGED)):
            if _INDEX in os.path.basename(path):
                os.unlink(path)

    def shorten_log(self, view: View) -> None:
        """Write the log into the index file if the log has grown long."""
        log = stamp_of(self.path + "-wal")
        if log is not None and log[0] > _LOG_BYTES:
            self.empty_log(view)

    def empty_log(self, view: View) -> bool:
        """Write the log into the index file; return False if a reader still uses the log, so that it is not empty."""
        with contextlib.suppress(*BUSY):
            view.run("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        log = stamp_of(self.path + "-wal")
        return log is None or log[0] == 0


class ApplyLock:
    """The lock for applying changes to the shared index, with a limit on the time that a process waits for it."""

    def __init__(self, home: str, patience_ms: int) -> None:
        self._path = os.path.join(home, "locks", "apply")
        self.patience_ms = patience_ms
        self._skip_until = 0

    @contextlib.contextmanager
    def hold(self, wait_ms: int | None = None) -> Iterator[bool]:
        """Yield True if this process holds the lock, False if another process did not release it in time."""
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
        """Tell whether an attempt to use the shared index failed a moment ago."""
        return clock.monotonic_ms() < self._skip_until


@mutable
class StoreContext:
    """The state that the parts of an open store share."""

    home: str
    journal: Journal
    index: IndexFile
    lock: ApplyLock
    settings: StoreSettings
    now_ms: Callable[[], int]
    progress: Progress
    hurried: bool
    """Whether a hook waits: then only a few rows are applied, and nothing is mended, erased or embedded."""
    is_absent: bool
    """Whether the home did not exist when the store was opened."""
    writable: bool
    notices: list[str]
    """Sentences for the user about damage that was found or mended."""
    keys: Callable[[], KeyRing] = lambda: NO_KEYS
    """Return the keys of the home, with which changes are signed and checked."""
    held: frozenset[str] = frozenset()
    """Unknown devices, whose segments are not read."""
    held_segments: tuple[str, ...] = ()
    newer: bool = False
    """Whether a newer Limpet has written to this store."""
    highest: str = ""
    """The highest id of a change that was applied; new ids come after it."""
    missing: int = 0
    """How many changes the last rebuild could not recover."""
    accounted: set[str] = field(default_factory=set)
    """Segments whose losses were examined and reported; only their high-water marks may be lowered."""

    def open_backup(self) -> Backup:
        """Return the backup of the journal."""
        # Loaded here: a hook has no use for it.
        from limpet.store.journal.backup import Backup

        return Backup(self.home, now_ms=self.now_ms)

    def is_own(self, segment: str) -> bool:
        """Tell whether this device writes to a segment."""
        with contextlib.suppress(OSError, StoreError):
            return segment.startswith(f"{self.journal.device}/")
        return False

    def tell_once(self, notice: str) -> None:
        """Add a notice for the user, unless it was added before."""
        if notice not in self.notices:
            self.notices.append(notice)

    def note_newer(self) -> None:
        """Note that a newer Limpet has written to this store, and add a notice for the user once."""
        self.newer = True
        self.tell_once(NEWER)

    def tell_in_use(self, segment: str) -> None:
        """Add a notice that a damaged segment could not be mended yet, because it is in use."""
        self.notices.append(f"the journal segment {segment} is damaged and in use; run any command again to mend it")
