"""The file of the shared index, its log, and how we left them: whatever is done to the file as a file."""

from __future__ import annotations

import contextlib
import os

import apsw

from limpet import system
from limpet.store import high_water
from limpet.store.high_water import FileStamp, stamp_of
from limpet.store.journal.segments import DAMAGED, set_aside
from limpet.store.view.open import View, connect, create_tables

NAME = "index.db"
BUSY = (apsw.BusyError, apsw.LockedError)
_LOG_BYTES = 4 << 20
"""A longer log is written into the file."""


class IndexFile:
    """The index file of a home, and the stamp it had when we last wrote it."""

    def __init__(self, home: str) -> None:
        self._home = home
        self.path = os.path.join(home, NAME)
        self._inode = 0
        self._stamp: FileStamp | None = None

    def inode(self) -> int:
        """Return what tells this file from another one at the same path; 0 if there is none."""
        try:
            return os.stat(self.path).st_ino
        except OSError:
            return 0

    def note_opened(self) -> None:
        """Remember the file that was opened, and keep others from reading it."""
        self._inode = os.stat(self.path).st_ino
        self._stamp = stamp_of(self.path)
        for path in (self.path + suffix for suffix in ("", "-wal", "-shm")):
            if not system.is_link(path):
                with contextlib.suppress(OSError):
                    os.chmod(path, 0o600)

    def note_written(self) -> FileStamp | None:
        """Remember and return the stamp of the file after writing to it."""
        self._stamp = stamp_of(self.path)
        return self._stamp

    def is_unchanged(self) -> bool:
        """Tell whether the open file is still the one at its path, and only a Limpet has written to it."""
        try:
            info = os.stat(self.path)
        except OSError:
            return False
        stamp = (info.st_size, info.st_mtime_ns)
        if stamp != self._stamp and high_water.load(self._home).index == stamp:
            self._stamp = stamp
        return info.st_ino == self._inode and stamp == self._stamp

    def create(self) -> View:
        """Replace the file by an empty index that says it is not finished."""
        self.remove()
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

    def set_aside(self, now_ms: int) -> None:
        """Set the file and its log aside, unless they are empty."""
        for path in (self.path + suffix for suffix in ("-wal", "-shm", "")):
            stamp = stamp_of(path)
            if stamp is not None and stamp[0]:
                set_aside(self._home, path, now_ms)

    def remove_set_aside(self) -> None:
        """Remove index files that were set aside: a purged text may lie anywhere in them."""
        for path in system.walk_files(os.path.join(self._home, DAMAGED)):
            if NAME in os.path.basename(path):
                os.unlink(path)

    def shorten_log(self, view: View) -> None:
        """Write the log into the file if it has grown long."""
        log = stamp_of(self.path + "-wal")
        if log is not None and log[0] > _LOG_BYTES:
            self.empty_log(view)

    def empty_log(self, view: View) -> bool:
        """Write the log into the file; return whether it is empty now, which it is not while somebody reads from it."""
        with contextlib.suppress(*BUSY):
            view.run("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        log = stamp_of(self.path + "-wal")
        return log is None or log[0] == 0
