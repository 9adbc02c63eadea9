"""Keeps the shared index: opens it, examines it, brings it up to date, rebuilds it, and does without it if it must.

Whoever holds the apply lock takes new lines of the journal into the index for everyone. Nobody has to wait for it: a
reader that cannot get the lock in time copies the index into memory and applies the rest there, so a stopped process
blocks no one and every reader sees every acknowledged write. Damage found on the way is mended from the other copy
and put into words in `notices`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

import apsw

from limpet import clock, system
from limpet.errors import StoreDamaged, StoreError, StoreNewer, StoreReadOnly, SymlinkRefused, from_os_error
from limpet.model.ids import lowest_after
from limpet.settings import StoreSettings
from limpet.store.journal import erase, marks, mend
from limpet.store.journal import files as journal
from limpet.store.journal.records import Mark
from limpet.store.protocol import Progress, no_progress
from limpet.store.view import apply as indexes
from limpet.store.view import mend as comparing
from limpet.store.view.apply import Index
from limpet.store.view.rows import Applied

_NEWER = "this store was written by a newer Limpet; it can be read but not changed here: upgrade Limpet"
_CHECKPOINT_BYTES = 4 << 20
_BITE = 64
_VECTORS_MS = 5000
_RESTING_MS = 150
_ALONE_MS = 1000
_UNFINISHED = "was not finished"
_BUSY = (apsw.BusyError, apsw.LockedError)
_NOT_NOW = (*_BUSY, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError)
"""What keeps us from using the index at the moment and says nothing about what it holds."""


class Keeper:
    def __init__(
        self,
        home: str,
        *,
        settings: StoreSettings,
        now_ms: Callable[[], int] = clock.now_ms,
        progress: Progress = no_progress,
        hurried: bool = False,
    ) -> None:
        self.notices: list[str] = []
        self._home = os.path.realpath(home)
        self._settings = settings
        self._now_ms = now_ms
        self._progress = progress
        self._hurried = hurried
        self._writer = journal.Writer(self._home, segment_bytes=settings.segment_bytes, now_ms=now_ms)
        self._index: Index | None = None
        self._inode = 0
        self._look: tuple[int, int] | None = None
        self._private: Index | None = None
        self._alone_until = 0
        self._settled: set[str] = set()
        self._missing = 0
        self._newer = False
        self._writable = self._prepare_home()

    @property
    def home(self) -> str:
        return self._home

    def _refuse_if_unwritable(self) -> None:
        if self._newer:
            raise StoreNewer(_NEWER)
        if not self._writable:
            raise StoreReadOnly(
                f"the store at {self._home} cannot be written; check its owner and mode, or set LIMPET_HOME"
            )

    def _prepare_home(self) -> bool:
        """Make the folders; a home that cannot be written is still read."""
        try:
            for folder in ("", "journal", "locks"):
                system.private_directory(os.path.join(self._home, folder).rstrip(os.sep))
        except OSError as error:
            if isinstance(error, SymlinkRefused) or not os.path.isdir(self._home):
                raise from_os_error(error, "open the store") from error
            return False
        return os.access(self._home, os.W_OK)

    # Opening

    def _current(self) -> Index:
        """An index that holds everything the journal does: the shared one, or a copy of our own if that is busy."""
        if self._private is not None and clock.monotonic_ms() < self._alone_until:
            return self._copy_for_myself()
        damage: apsw.Error | None = None
        while True:
            try:
                index = self._ready() if damage is None else self._rebuild("was damaged")
                return index if index is not self._private and self._catch_up() else self._copy_for_myself()
            except OSError as error:
                return self._do_without(error)
            except apsw.Error as error:
                if isinstance(_first_of(error), _NOT_NOW):
                    return self._do_without(_first_of(error))
                if damage is not None:
                    raise StoreDamaged(
                        f"the index cannot be read or rebuilt ({error}); move {self._home}/index.db away and try again"
                    ) from error
                damage = error

    def _do_without(self, error: Exception) -> Index:
        if not isinstance(error, _BUSY):
            notice = f"the index cannot be used now ({error}); the answer was made from the journal, nothing is lost"
            if notice not in self.notices:
                self.notices.append(notice)
        self._stay_alone()
        return self._copy_for_myself()

    def _stay_alone(self) -> None:
        """Who has waited in vain does not try again at once: if somebody is stopped, each question would cost that."""
        self._alone_until = clock.monotonic_ms() + _ALONE_MS

    def _ready(self) -> Index:
        """The open index; opened, checked, or built anew if need be."""
        path = self._index_path
        if self._index is not None:
            if self._is_as_we_left_it(path):
                return self._index
            self._index = None
        if self._private is not None and not self._writable:
            return self._private
        if not self._writable:
            return self._copy_for_myself()
        if system.is_link(path):
            raise StoreError(f"{path} is a symlink, refusing to follow it; remove it and try again")
        look = marks.look_of(path)
        if look is None or look[0] == 0:
            return self._rebuild("was missing" if look is None else "was empty")
        connection = indexes.connect(path, create=False)
        try:
            found = indexes.version_of(connection)
            if found > indexes.VERSION:
                connection.close()
                self._meet_newer()
                return self._copy_for_myself()
            if found == indexes.VERSION and self._looks_whole(connection, look):
                self._adopt(Index(connection))
                assert self._index is not None
                return self._index
        except apsw.Error as error:
            connection.close()
            if isinstance(_first_of(error), _NOT_NOW):
                raise
            return self._rebuild("was damaged")
        connection.close()
        reasons = {indexes.VERSION: "was damaged", 0: _UNFINISHED}
        return self._rebuild(reasons.get(found, "has an older form"))

    def _adopt(self, index: Index) -> None:
        if not self._hurried and index.has_vectors:
            from limpet.text.embedding import table

            index.use_vectors_of(table().model)
        self._index, self._private = index, None
        self._inode = os.stat(self._index_path).st_ino
        self._look = marks.look_of(self._index_path)
        for path in (self._index_path + suffix for suffix in ("", "-wal", "-shm")):
            if not system.is_link(path):
                with contextlib.suppress(OSError):
                    os.chmod(path, 0o600)
        self._see_highest(index)

    def _see_highest(self, index: Index) -> None:
        """Our ids come after every one that is here, except those of a clock that is far ahead."""
        bound = lowest_after(self._now_ms() + clock.DAY_MS)
        self._writer.seen(str(index.connection.execute("SELECT max(id) FROM change WHERE id < ?", (bound,)).get or ""))

    def _meet_newer(self) -> None:
        if not self._newer:
            self._newer = True
            self.notices.append(_NEWER)

    @property
    def _index_path(self) -> str:
        return os.path.join(self._home, "index.db")

    def _is_as_we_left_it(self, path: str) -> bool:
        """Whether the file that is open is still the one at its path, and nobody but a Limpet has written to it."""
        try:
            info = os.stat(path)
        except OSError:
            return False
        look = (info.st_size, info.st_mtime_ns)
        if look != self._look and marks.load(self._home).index == look:
            self._look = look
        return info.st_ino == self._inode and look == self._look

    def _looks_whole(self, connection: apsw.Connection, look: tuple[int, int]) -> bool:
        """Trust the index file if it looks as we left it; examine it if anybody else has touched it."""
        if marks.load(self._home).index == look:
            return True
        with self._apply_lock(self._patience):
            # Whoever holds the lock may just have written to it, and not yet written down how it looks.
            if marks.load(self._home).index == marks.look_of(self._index_path):
                return True
        if connection.execute("PRAGMA integrity_check(1)").get != "ok":
            return False
        return Index(connection).is_sound()

    # Applying

    @contextlib.contextmanager
    def _apply_lock(self, wait_ms: int) -> Iterator[bool]:
        path = os.path.join(self._home, "locks", "apply")
        deadline = clock.monotonic_ms() + wait_ms
        fd = system.try_lock(path)
        while fd is None and clock.monotonic_ms() < deadline:
            clock.pause(4)
            fd = system.try_lock(path)
        if fd is None and wait_ms:
            self._stay_alone()
        try:
            yield fd is not None
        finally:
            if fd is not None:
                system.unlock(fd)

    @property
    def _patience(self) -> int:
        return self._settings.hook_apply_ms if self._hurried else self._settings.apply_wait_ms

    def _catch_up(self, patience: int | None = None) -> bool:
        """Bring the shared index up to date; False if somebody else holds the lock and there is something to apply."""
        index = self._index or self._ready()
        if index is self._private:
            return False
        pending, damaged = self._survey(index)
        if not pending and not damaged and not self._unfinished_purge(index):
            return True
        with self._apply_lock(self._patience if patience is None else patience) as held:
            if not held:
                # Others may have applied it while we waited.
                return not any(self._survey(index))
            pending, damaged = self._survey(index)
            if damaged:
                self._mend_segments(index, damaged)
                pending, _ = self._survey(index)
            self._erase_again(index, pending)
            done = self._take_all(index, pending)
            self._finish_purges(index)
            self._make_vectors(index, done.changes)
            self._tidy(index)
            return True

    def _pending(self, index: Index) -> list[Mark]:
        return self._survey(index)[0]

    def _survey(self, index: Index) -> tuple[list[Mark], list[str]]:
        """Which segments have something new, and which have lost something."""
        try:
            files = journal.segments(self._home)
        except OSError as error:
            raise from_os_error(error, "read the journal") from error
        known = index.marks()
        pending: list[Mark] = []
        damaged: list[str] = []
        for name, size, modified in files:
            mark = known.pop(name, None)
            if mark is None:
                pending.append(Mark(name=name))
            elif size == mark.applied and modified == mark.modified:
                continue
            elif journal.is_receipts(name):
                # Not synced, so a power cut may shorten them; they are counts, and what is read twice counts once.
                fits = size >= mark.applied and mend.tail_fits(self._home, mark)
                pending.append(mark if fits else Mark(name=name))
            elif self._has_lost(index, mark, size):
                damaged.append(name)
            else:
                pending.append(mark)
        damaged += [name for name, mark in known.items() if mark.records and not journal.is_receipts(name)]
        return pending, damaged

    def _has_lost(self, index: Index, mark: Mark, size: int) -> bool:
        if size < mark.applied or not mend.tail_fits(self._home, mark):
            return True
        if size != mark.applied:
            return False
        return not comparing.agrees(index, self._home, mark.name, is_foreign=not self._is_own(mark.name))

    def _is_own(self, name: str) -> bool:
        with contextlib.suppress(OSError, StoreError):
            return name.startswith(f"{self._writer.device}/")
        return False

    def _take_all(self, index: Index, pending: Sequence[Mark]) -> Applied:
        done = Applied()
        deadline = clock.monotonic_ms() + self._settings.hook_apply_ms
        sizes = {mark.name: os.path.getsize(journal.path_of(self._home, mark.name)) for mark in pending}
        total = sum(sizes[mark.name] - mark.applied for mark in pending)
        read = 0
        for mark in pending:
            if self._hurried and (done.changes >= self._settings.hook_apply_changes or clock.monotonic_ms() > deadline):
                break
            path = journal.path_of(self._home, mark.name)
            size = self._settings.hook_apply_changes if self._hurried else indexes.BATCH
            for rows in indexes.batches(journal.read_rows(path, mark.applied), size):
                start = mark.applied
                with index.connection:
                    index.apply(mark, rows, done)
                read += mark.applied - start
                self._progress("reading the journal", read, total)
                if done.newer or self._hurried:
                    break
            # Looked at afterwards: if somebody has appended while we read, an older time would not fit what we hold,
            # and the next survey would compare the whole segment.
            info = os.stat(path)
            if info.st_size == mark.applied:
                mark.modified = info.st_mtime_ns
            index.save_mark(mark)
        if done.newer:
            self._meet_newer()
        if done.changes:
            self._see_highest(index)
        return done

    def _erase_again(self, index: Index, pending: Sequence[Mark]) -> None:
        """Somebody may have copied an older state of a segment over ours, with texts that have been purged since."""
        subjects = set() if self._hurried else index.purged()
        for mark in pending if subjects else ():
            path = journal.path_of(self._home, mark.name)
            if mark.applied and not (self._is_own(mark.name) and os.path.getsize(path) > mark.applied):
                erase.erase_in_file(path, subjects)

    def _make_vectors(self, index: Index, fresh: int) -> None:
        """What was just written gets its vector at once; what a rebuild left behind waits for a quiet moment."""
        if self._hurried:
            return
        deadline = clock.monotonic_ms() + _VECTORS_MS
        while fresh > 0 and clock.monotonic_ms() < deadline:
            with index.connection:
                left = index.embed(min(fresh, _BITE))
            fresh = min(fresh - _BITE, left)

    def _work_off(self, index: Index) -> None:
        deadline = clock.monotonic_ms() + _RESTING_MS
        while clock.monotonic_ms() < deadline:
            with index.connection:
                if not index.embed(_BITE):
                    break
        self._tidy(index)

    def _tidy(self, index: Index) -> None:
        """After applying, still under the lock: keep the log short and write down how things look now."""
        log = marks.look_of(self._index_path + "-wal")
        if log is not None and log[0] > _CHECKPOINT_BYTES:
            with contextlib.suppress(*_BUSY):
                index.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._write_marks(index)

    def _write_marks(self, index: Index, backup_ms: int | None = None) -> None:
        before = marks.load(self._home)
        counts = _counts(index)
        # A high-water mark never sinks by itself: only after what is missing was looked for and told.
        highest = {
            name: count if name in self._settled else max(count, before.records.get(name, 0))
            for name, count in counts.items()
        }
        self._look = marks.look_of(self._index_path)
        kept = {name: count for name, count in before.records.items() if name not in self._settled}
        fresh = marks.Marks(
            records={**kept, **highest},
            index=self._look,
            backup_ms=before.backup_ms if backup_ms is None else backup_ms,
        )
        if fresh != before:
            with contextlib.suppress(OSError):
                marks.save(self._home, fresh)

    def _copy_for_myself(self) -> Index:
        """An index in memory, made of the shared one as far as it can be read, and of the journal."""
        try:
            pending, damaged = self._survey(self._private) if self._private else ([], [""])
            if self._private is None or damaged:
                self._private = self._copied()
                pending = self._pending(self._private)
            self._take_all(self._private, pending)
        except OSError as error:
            raise from_os_error(error, "read the journal") from error
        return self._private

    def _copied(self) -> Index:
        private = in_memory()
        if self._index is not None:
            with (
                contextlib.suppress(apsw.Error),
                private.connection.backup("main", self._index.connection, "main") as copy,
            ):
                copy.step(-1)
            private = Index(private.connection)
        return private if indexes.version_of(private.connection) == indexes.VERSION else in_memory()

    # Rebuilding and mending

    def _rebuild(self, reason: str) -> Index:
        """Build the index anew from the journal, setting the old file aside."""
        # Not closed: somebody may still be reading from it, and it closes itself when the last one lets go.
        self._index = None
        first = not any(size for _, size, _ in journal.segments(self._home)) and not marks.load(self._home).records
        before = self._inode_now()
        with self._apply_lock(self._patience) as held:
            if not held:
                return self._copy_for_myself()
            is_done = self._inode_now() not in (before, 0) or (reason == _UNFINISHED and self._is_finished())
            if not is_done:
                index = self._build(keep=reason != _UNFINISHED)
        if is_done:
            # Somebody else has done it while we waited.
            return self._ready()
        if not first:
            count = index.connection.execute("SELECT count(*) FROM memory").get
            told = f"the index {reason}; rebuilt it from the journal with {count} memories"
            self.notices.append(told if self._missing else f"{told}, nothing is lost")
        return index

    def _inode_now(self) -> int:
        try:
            return os.stat(self._index_path).st_ino
        except OSError:
            return 0

    def _is_finished(self) -> bool:
        connection = indexes.connect(self._index_path, create=False)
        try:
            return indexes.version_of(connection) == indexes.VERSION
        finally:
            connection.close()

    def _build(self, *, keep: bool) -> Index:
        """An index that says it is finished only when it is, so that one whose maker was killed is made again."""
        for path in (self._index_path + suffix for suffix in ("-wal", "-shm", "")):
            look = marks.look_of(path)
            if keep and look is not None and look[0]:
                mend.set_aside(self._home, path, self._now_ms())
        try:
            index = self._filled()
            if not self._hurried:
                once, before = marks.load(self._home).records, _counts(index)
                saved, in_use = self._restore_what_is_missing(index, once)
                if saved:
                    # Read anew from the beginning, so that no trace of the gap is left.
                    index.connection.close()
                    index = self._filled()
                if not in_use:
                    self._tell_of_losses(once, before=before, after=_counts(index), saved=saved)
                    index.connection.execute(f"PRAGMA user_version={indexes.VERSION}")
            self._adopt(index)
            self._finish_purges(index)
            self._tidy(index)
        except (apsw.Error, OSError):
            self._close_index()
            self._remove_index()
            raise
        return index

    def _filled(self) -> Index:
        self._remove_index()
        os.close(system.open_private(self._index_path, os.O_RDWR | os.O_CREAT | os.O_EXCL))
        connection = indexes.connect(self._index_path, create=True)
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchall()
            connection.execute("PRAGMA journal_size_limit=8388608").fetchall()
            indexes.create_tables(connection, version=0)
            index = Index(connection)
            self._take_all(index, self._pending(index))
        except (apsw.Error, OSError):
            connection.close()
            raise
        return index

    def _remove_index(self) -> None:
        for suffix in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._index_path + suffix)

    def _restore_what_is_missing(self, index: Index, once: Mapping[str, int]) -> tuple[dict[str, int], bool]:
        """With the index gone only marks and backups can tell that a segment is short.

        Answers how much came back of each, and whether one could not be touched because a writer is at it.
        """
        if self._newer:
            return {}, False
        have = _counts(index)
        broken = {name for name, mark in index.marks().items() if mark.torn and not journal.is_receipts(name)}
        short = {name for name, count in once.items() if have.get(name, 0) < count}
        saved, in_use = {}, False
        for name in sorted(short | broken | mend.longer_in_backup(self._home)):
            if not mend.missing_from(self._home, name):
                continue
            with mend.held(self._home, name) as is_held:
                if is_held:
                    saved[name] = mend.mend_from_backup(self._home, name, self._now_ms())
                else:
                    in_use = True
                    self._tell_in_use(name)
        return saved, in_use

    def _tell_in_use(self, name: str) -> None:
        self.notices.append(f"the journal segment {name} is damaged and in use; run any command again to mend it")

    def _tell_of_losses(
        self, once: Mapping[str, int], *, before: Mapping[str, int], after: Mapping[str, int], saved: Mapping[str, int]
    ) -> None:
        self._missing = 0
        for name in sorted({*once, *saved} if not self._newer else ()):
            count = max(once.get(name, 0), after.get(name, 0))
            lost = max(count - before.get(name, 0), saved.get(name, 0))
            missing = count - after.get(name, 0)
            self._settled.add(name)
            if not lost:
                continue
            told = f"the journal segment {name} had lost {lost} of {count} changes"
            if name in saved:
                told += f"; {saved[name]} came back from the backup"
            if missing:
                told += f"; {missing} could not be found again"
            self._missing += missing
            self.notices.append(told)

    def _mend_segments(self, index: Index, damaged: Sequence[str]) -> None:
        if damaged:
            # What is set aside may be an older copy that still holds what was purged.
            index.erase_again()
        for name in damaged:
            with mend.held(self._home, name) as is_held:
                if not is_held:
                    self._tell_in_use(name)
                    continue
                with index.connection:
                    saved = comparing.mend_from_index(index, self._home, name, self._now_ms())
            self._settled.add(name)
            self.notices.append(
                f"the journal segment {name} was damaged; set it aside and wrote {saved} changes anew from the index"
            )

    # Purging

    def _unfinished_purge(self, index: Index) -> bool:
        return bool(index.connection.execute("SELECT 1 FROM purged WHERE done = 0 LIMIT 1").get)

    def _finish_purges(self, index: Index, *, tries: int = 2) -> None:
        """Erase what was purged, everywhere; as long as a reader keeps the log in use, each command tries again."""
        if self._hurried:
            return
        subjects = {str(row[0]) for row in index.connection.execute("SELECT subject FROM purged WHERE done = 0")}
        if not subjects:
            return
        erase.erase_in_files(self._home, subjects)
        comparing.erase_in_index(index)
        comparing.refresh_marks(index, self._home)
        for _ in range(tries):
            # Pages given free are zeroed (secure_delete), but the log still holds them as they were.
            with contextlib.suppress(*_BUSY):
                index.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if erase.log_is_empty(self._home):
                comparing.settle(index, subjects)
                return
            clock.pause(20)
        notice = "another process is reading the store; the last trace of the purged text leaves its log when that ends"
        if notice not in self.notices:
            self.notices.append(notice)

    def _close_index(self) -> None:
        if self._index is not None:
            self._index.connection.close()
        self._index = None


def _first_of(error: Exception) -> Exception:
    """What went wrong first: SQLite takes back a transaction by itself on a full disk, and ending it then fails too."""
    while isinstance(error.__context__, apsw.Error):
        error = error.__context__
    return error


def _counts(index: Index) -> dict[str, int]:
    """How many records of each segment the index holds; receipts are not missed."""
    return {name: mark.records for name, mark in index.marks().items() if not journal.is_receipts(name)}


def in_memory() -> Index:
    connection = indexes.connect(
        ":memory:", create=True, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_MEMORY
    )
    indexes.create_tables(connection)
    return Index(connection)
