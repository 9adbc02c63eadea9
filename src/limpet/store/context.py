"""The shared state of an open store: lock, journal, index file, settings, and notices for the user.

High-water marks record how many records each journal segment once had. They are in a separate file, apart from the
journal and the view. If both the journal and the view have fewer records, some were lost and the user gets a notice.
Without the marks, an emptied file would look like a new one. The same file contains the time of the last backup and the
stamp (size and modification time) that the index file had after Limpet last wrote it. If the stamp differs, another
program has touched the index, so it is checked before it is used. If the home has a key, the record counts are signed,
so that nobody can cut the end of a segment and lower its mark unnoticed.
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
"""The length of SQLite's write-ahead log above which it is merged into the index file."""
_SKIP_MS = 1000

FileStamp = tuple[int, int]
"""The size of a file in bytes, and its modification time in nanoseconds."""


@mutable
class HighWater:
    """The high-water marks of the journal segments, the stamp of the index file, and the time of the last backup.

    A high-water mark is the number of records that a journal segment once had. If the segment has fewer now, some were
    lost.
    """

    records: dict[str, int] = field(default_factory=dict)
    index: FileStamp | None = None
    backup_ms: int = 0
    key: str = ""
    code: str = ""
    """The signature of `records`, made with the key whose id is `key`; an empty string if the home has no key."""

    @classmethod
    def load(cls, home: str) -> HighWater:
        """Return the high-water marks of a home, or empty ones if their file is missing or broken.

        Missing marks only cause the index to be checked again; no memory is lost.
        """
        try:
            with open(os.path.join(home, _MARKS), "rb", buffering=0) as file:
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
        """Sign the record counts with the newest key of the home, if it has one."""
        self.key = keys.newest
        self.code = keys.code(_PURPOSE, self._signed_bytes()) if keys.newest else ""

    def is_forged(self, keys: KeyRing) -> bool:
        """Tell whether the signature of the record counts is missing or wrong, although the home has a key."""
        if not keys.keys or not self.records:
            return False
        return not self.code or keys.fits(_PURPOSE, self.key, self._signed_bytes(), self.code) is False

    def _signed_bytes(self) -> bytes:
        return quickjson.dumps(self.records, is_sorted=True, spaced=True).encode()

    def save(self, home: str) -> None:
        """Write the high-water marks to their file in the home."""
        found: dict[str, object] = {"records": self.records, "index": self.index, "backup_ms": self.backup_ms}
        if self.code:
            found |= {"key": self.key, "mac": self.code}
        system.write_atomically(os.path.join(home, _MARKS), quickjson.dumps(found).encode(), durable=False)


def stamp_of(path: str) -> FileStamp | None:
    """Return the size and modification time of a file, or None if they cannot be read."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns


class IndexFile:
    """The SQLite index file of a home, with the size and modification time it had after Limpet last wrote to it."""

    def __init__(self, home: str) -> None:
        self._home = home
        self.path = os.path.join(home, _INDEX)
        self._inode = 0
        self._stamp: FileStamp | None = None
        self.is_checked = True
        """Whether the index can be trusted. False if another program has changed it since the last check."""

    def inode(self) -> int:
        """Return the inode of the index file, or 0 if the file is missing."""
        try:
            return os.stat(self.path).st_ino
        except OSError:
            return 0

    def note_opened(self) -> None:
        """Record the inode, size and modification time of the index file, and deny other users access to it."""
        self._inode = os.stat(self.path).st_ino
        self._stamp = stamp_of(self.path)
        system.restrict_files(self.path, f"{self.path}-wal", f"{self.path}-shm")

    def note_written(self) -> FileStamp | None:
        """Record and return the size and modification time of the index file after Limpet has written to it."""
        self._stamp = stamp_of(self.path)
        return self._stamp

    def is_unchanged(self) -> bool:
        """Tell whether the file at the index path is still the open one, and only Limpet has written to it."""
        try:
            info = os.stat(self.path)
        except OSError:
            return False
        stamp = (info.st_size, info.st_mtime_ns)
        if stamp != self._stamp and HighWater.load(self._home).index == stamp:
            self._stamp = stamp
        return info.st_ino == self._inode and stamp == self._stamp

    def is_replaced(self) -> bool:
        """Tell whether another process has replaced the index file since it was opened."""
        return self.inode() != self._inode

    def create(self) -> View:
        """Replace the index file with an empty index and return it.

        The new index is marked as unfinished until it has been filled.
        """
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
        """Delete the index file and its write-ahead log."""
        for suffix in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path + suffix)

    def set_aside(self, now_ms: int) -> list[str]:
        """Move the index file and its write-ahead log to the folder for damaged files, and return their new paths.

        Files that are empty or missing are skipped.
        """
        paths = [self.path + suffix for suffix in ("-wal", "-shm", "")]
        stamps = [stamp_of(path) for path in paths]
        return [
            set_aside(self._home, path, now_ms)
            for path, stamp in zip(paths, stamps, strict=True)
            if stamp is not None and stamp[0]
        ]

    def remove_set_aside(self) -> None:
        """Delete the damaged index files that `set_aside` has kept, because they may contain purged texts."""
        for path in system.walk_files(os.path.join(self._home, DAMAGED)):
            if _INDEX in os.path.basename(path):
                os.unlink(path)

    def shorten_log(self, view: View) -> None:
        """Merge the write-ahead log into the index file if the log has grown long."""
        log = stamp_of(self.path + "-wal")
        if log is not None and log[0] > _LOG_BYTES:
            self.empty_log(view)

    def empty_log(self, view: View) -> bool:
        """Merge the write-ahead log into the index file and empty the log.

        Return False if the log could not be emptied, because another process is still reading from it.
        """
        with contextlib.suppress(*BUSY):
            view.run("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return self.is_log_empty()

    def is_log_empty(self) -> bool:
        log = stamp_of(self.path + "-wal")
        return log is None or log[0] == 0


class ApplyLock:
    """The lock that a process must hold to write to the shared index. The time to wait for it is limited."""

    def __init__(self, home: str, patience_ms: int) -> None:
        self._path = os.path.join(home, "locks", "apply")
        self.patience_ms = patience_ms
        self._skip_until = 0

    @contextlib.contextmanager
    def hold(self, wait_ms: int | None = None) -> Iterator[bool]:
        """Take the lock for the duration of a `with` block; yield True if this process got it in time.

        `wait_ms` overrides the usual limit on the waiting time.
        """
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
        """Do not wait for the lock during the next second, so that one stopped process does not delay every query."""
        self._skip_until = clock.monotonic_ms() + _SKIP_MS

    def is_skipped(self) -> bool:
        """Tell whether waiting for the lock is suspended, because the shared index was unavailable a moment ago."""
        return clock.monotonic_ms() < self._skip_until


@mutable
class StoreContext:
    """The state that the modules of an open store share: its files, lock, settings and notices."""

    home: str
    journal: Journal
    index: IndexFile
    lock: ApplyLock
    settings: StoreSettings
    now_ms: Callable[[], int]
    progress: Progress
    hurried: bool
    """True in a hook, which must answer quickly: only a few changes are applied, and nothing is repaired or erased."""
    is_absent: bool
    """Whether the home folder does not exist yet."""
    writable: bool
    notices: list[str]
    """Messages for the user about damage that was found or repaired."""
    keys: Callable[[], KeyRing] = lambda: NO_KEYS
    """A function that returns the keys of the home, with which changes are signed and verified."""
    held: frozenset[str] = frozenset()
    """The ids of unknown devices, whose changes are ignored until the user accepts the device."""
    held_segments: tuple[str, ...] = ()
    newer: bool = False
    """Whether a newer version of Limpet has written to this store."""
    highest: str = ""
    """The highest change id that was applied; ids of new changes must be higher."""
    missing: int = 0
    """The number of changes that the last rebuild of the index could not recover."""
    accounted: set[str] = field(default_factory=set)
    """Names of journal segments whose lost records were reported. Only their high-water marks may be lowered."""

    def open_backup(self) -> Backup:
        """Return an object that reads and writes the backup of the journal."""
        # Loaded here: a hook has no use for it.
        from limpet.store.journal.backup import Backup

        return Backup(self.home, now_ms=self.now_ms)

    def is_own(self, segment: str) -> bool:
        """Tell whether a journal segment, given by its name, belongs to this device."""
        with contextlib.suppress(OSError, StoreError):
            return segment.startswith(f"{self.journal.device}/")
        return False

    def tell_once(self, notice: str) -> None:
        """Add a notice for the user, unless the same notice was added before."""
        if notice not in self.notices:
            self.notices.append(notice)

    def note_newer(self) -> None:
        """Record that a newer version of Limpet has written to this store, and tell the user once."""
        self.newer = True
        self.tell_once(NEWER)

    def tell_in_use(self, segment: str) -> None:
        """Add a notice for the user that a damaged journal segment is in use and therefore not repaired yet."""
        self.notices.append(f"the journal segment {segment} is damaged and in use; run any command again to repair it")
