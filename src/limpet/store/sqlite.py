"""The default store: the journal in files, an index in SQLite.

Whoever holds the apply lock takes new lines of the journal into the index for everyone. Nobody has to wait for it: a
reader that cannot get the lock in time copies the index into memory and applies the rest there, so a stopped process
blocks no one and every reader sees every acknowledged write. Damage found on the way is mended from the other copy
and put into words in `notices`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from limpet import clock, system
from limpet.errors import StoreDamaged, StoreError, StoreNewer, StoreReadOnly
from limpet.model.change import Change
from limpet.model.ids import lowest_after
from limpet.settings import StoreSettings
from limpet.store import erase, journal, marks, mend
from limpet.store import index as indexes
from limpet.store.index import Applied, Index, Mark
from limpet.store.protocol import Problem, Progress, Report, no_progress
from limpet.store.reading import Reader

_NEWER = "this store was written by a newer Limpet; it can be read but not changed here: upgrade Limpet"
_CHECKPOINT_BYTES = 4 << 20
_BUSY = (apsw.BusyError, apsw.LockedError)


class FileStore:
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
        self._private: Index | None = None
        self._newer = False
        self._writable = self._prepare_home()

    @property
    def home(self) -> str:
        return self._home

    def _prepare_home(self) -> bool:
        """Make the folders; a home that cannot be written is still read."""
        try:
            for folder in ("", "journal", "locks"):
                system.private_directory(os.path.join(self._home, folder).rstrip(os.sep))
        except OSError as error:
            if isinstance(error, system.SymlinkRefused) or not os.path.isdir(self._home):
                raise journal.translate(error, "open the store") from error
            return False
        return os.access(self._home, os.W_OK)

    # Writing

    def append(self, changes: Sequence[Change], *, durable: bool = True) -> tuple[Change, ...]:
        """Keep the changes. When this returns they are on disk; making them visible cannot fail them any more."""
        if not changes:
            return ()
        self._refuse_if_unwritable()
        if self._index is None and not self._hurried:
            self._ready()
        self._refuse_if_unwritable()
        records = [
            {
                "actor": change.actor,
                "verb": str(change.verb),
                "subject": change.subject,
                "root": change.root or change.subject,
                "lineage": change.lineage,
                "payload": change.payload,
            }
            for change in changes
        ]
        ids = self._writer.append(records, durable=durable)
        device = self._writer.device
        kept = tuple(
            replace(change, id=change_id, device=device, root=change.root or change.subject)
            for change, change_id in zip(changes, ids, strict=True)
        )
        if durable and not self._hurried:
            with contextlib.suppress(apsw.Error, OSError, StoreError):
                self._catch_up()
        return kept

    def _refuse_if_unwritable(self) -> None:
        if self._newer:
            raise StoreNewer(_NEWER)
        if not self._writable:
            raise StoreReadOnly(
                f"the store at {self._home} cannot be written; check its owner and mode, or set LIMPET_HOME"
            )

    # Reading

    def reading(self, at: datetime | None = None) -> Reader:
        index = self._current()
        if at is None:
            return Reader(index.connection)
        past = _in_memory()
        past.replay(index, lowest_after(clock.to_ms(at)), self._progress)
        return Reader(past.connection)

    def _current(self) -> Index:
        """An index that holds everything the journal does: the shared one, or a private copy when that is busy."""
        for attempt in (1, 2):
            try:
                index = self._ready()
                if index is self._private:
                    self._take_all(index, self._pending(index))
                    return index
                return index if self._catch_up() else self._copy_for_myself()
            except _BUSY:
                return self._copy_for_myself()
            except apsw.Error as error:
                if attempt == 2:
                    raise StoreDamaged(
                        f"the index cannot be read or rebuilt ({error}); move {self._home}/index.db away and try again"
                    ) from error
                self._rebuild("was damaged")
        raise AssertionError("unreachable")

    def _ready(self) -> Index:
        """The open index; opened, checked, or built anew if need be."""
        path = self._index_path
        if self._index is not None:
            try:
                if os.stat(path).st_ino == self._inode:
                    return self._index
            except OSError:
                pass
            self._close_index()
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
                self._newer = True
                return self._copy_for_myself()
            if found == indexes.VERSION and self._looks_whole(connection, look):
                self._adopt(Index(connection))
                assert self._index is not None
                return self._index
        except apsw.Error as error:
            connection.close()
            if isinstance(error, _BUSY):
                raise
            return self._rebuild("was damaged")
        connection.close()
        return self._rebuild("was damaged" if found == indexes.VERSION else "has an older form")

    def _adopt(self, index: Index) -> None:
        self._index, self._private = index, None
        self._inode = os.stat(self._index_path).st_ino
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                os.chmod(self._index_path + suffix, 0o600)
        self._writer.seen(str(index.connection.execute("SELECT max(id) FROM change").get or ""))

    @property
    def _index_path(self) -> str:
        return os.path.join(self._home, "index.db")

    def _looks_whole(self, connection: apsw.Connection, look: tuple[int, int]) -> bool:
        """Trust the index file if it looks as we left it; examine it if anybody else has touched it."""
        if marks.load(self._home).index == look:
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
        try:
            yield fd is not None
        finally:
            if fd is not None:
                system.unlock(fd)

    @property
    def _patience(self) -> int:
        return self._settings.hook_apply_ms if self._hurried else self._settings.apply_wait_ms

    def _catch_up(self) -> bool:
        """Bring the shared index up to date; False if somebody else holds the lock and there is something to apply."""
        index = self._index or self._ready()
        if index is self._private:
            return False
        pending, damaged = self._survey(index)
        if not pending and not damaged and not self._unfinished_purge(index):
            return True
        with self._apply_lock(self._patience) as held:
            if not held:
                # Others may have applied it while we waited.
                return not any(self._survey(index))
            pending, damaged = self._survey(index)
            if damaged:
                self._mend_segments(index, damaged)
                pending, _ = self._survey(index)
            done = self._take_all(index, pending)
            self._finish_purges(index)
            self._tidy(index)
            return not (self._hurried and done is None)

    def _pending(self, index: Index) -> list[Mark]:
        return self._survey(index)[0]

    def _survey(self, index: Index) -> tuple[list[Mark], list[str]]:
        """Which segments have something new, and which have lost something."""
        try:
            files = journal.segments(self._home)
        except OSError as error:
            raise journal.translate(error, "read the journal") from error
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
                # Not synced, so a power cut may shorten them; they are counts, not memories.
                pending.append(mark if size >= mark.applied else replace(mark, applied=size))
            elif self._has_lost(index, mark, size):
                damaged.append(name)
            else:
                pending.append(mark)
        damaged += [name for name, mark in known.items() if mark.records and not journal.is_receipts(name)]
        return pending, damaged

    def _has_lost(self, index: Index, mark: Mark, size: int) -> bool:
        if size < mark.applied or not mend.tail_fits(self._home, mark):
            return True
        return size == mark.applied and not mend.agrees(index, self._home, mark.name)

    def _take_all(self, index: Index, pending: Sequence[Mark]) -> Applied:
        done = Applied()
        deadline = clock.monotonic_ms() + self._settings.hook_apply_ms
        sizes = {mark.name: os.path.getsize(journal.path_of(self._home, mark.name)) for mark in pending}
        total = sum(sizes[mark.name] - mark.applied for mark in pending)
        read = 0
        for mark in pending:
            path = journal.path_of(self._home, mark.name)
            modified = os.stat(path).st_mtime_ns
            size = self._settings.hook_apply_changes if self._hurried else indexes.BATCH
            for rows in indexes.batches(journal.read_rows(path, mark.applied), size):
                start = mark.applied
                with index.connection:
                    index.apply(mark, rows, done)
                read += mark.applied - start
                self._progress("reading the journal", read, total)
                if done.newer or (self._hurried and clock.monotonic_ms() > deadline):
                    break
            if mark.applied == os.path.getsize(path):
                mark.modified = modified
            index.save_mark(mark)
        if done.newer and not self._newer:
            self._newer = True
            self.notices.append(_NEWER)
        if done.highest:
            self._writer.seen(done.highest)
        return done

    def _tidy(self, index: Index) -> None:
        """After applying, still under the lock: keep the log short and write down how things look now."""
        log = marks.look_of(self._index_path + "-wal")
        if log is not None and log[0] > _CHECKPOINT_BYTES:
            with contextlib.suppress(*_BUSY):
                index.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._write_marks(index)

    def _write_marks(self, index: Index, backup_ms: int | None = None) -> None:
        before = marks.load(self._home)
        known = index.marks().items()
        counts = {name: mark.records for name, mark in known if not journal.is_receipts(name)}
        fresh = marks.Marks(
            records={**before.records, **counts},
            index=marks.look_of(self._index_path),
            backup_ms=before.backup_ms if backup_ms is None else backup_ms,
        )
        if fresh != before:
            with contextlib.suppress(OSError):
                marks.save(self._home, fresh)

    def _copy_for_myself(self) -> Index:
        """An index in memory, made of the shared one as far as it can be read, and of the journal."""
        private = _in_memory()
        if self._index is not None:
            with (
                contextlib.suppress(apsw.Error),
                private.connection.backup("main", self._index.connection, "main") as copy,
            ):
                copy.step(-1)
            private = Index(private.connection)
        if indexes.version_of(private.connection) != indexes.VERSION:
            private = _in_memory()
        self._take_all(private, self._survey(private)[0])
        self._private = private
        return private

    # Rebuilding and mending

    def _rebuild(self, reason: str) -> Index:
        """Build the index anew from the journal, setting the old file aside."""
        self._close_index()
        first = not any(size for _, size, _ in journal.segments(self._home)) and not marks.load(self._home).records
        with self._apply_lock(self._patience * 8) as held:
            if not held:
                return self._copy_for_myself()
            path = self._index_path
            now = self._now_ms()
            for suffix in ("-wal", "-shm", ""):
                look = marks.look_of(path + suffix)
                if look is not None and look[0]:
                    mend.set_aside(self._home, path + suffix, now)
                elif look is not None:
                    os.unlink(path + suffix)
            os.close(system.open_private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL))
            connection = indexes.connect(path, create=True)
            connection.execute("PRAGMA journal_mode=WAL").fetchall()
            connection.execute("PRAGMA journal_size_limit=8388608").fetchall()
            indexes.create_tables(connection)
            index = Index(connection)
            self._take_all(index, self._survey(index)[0])
            self._restore_what_is_missing(index)
            self._adopt(index)
            self._finish_purges(index)
            self._tidy(index)
        if not first:
            count = connection.execute("SELECT count(*) FROM memory").get
            self.notices.append(
                f"the index {reason}; rebuilt it from the journal with {count} memories, nothing is lost"
            )
        return index

    def _restore_what_is_missing(self, index: Index) -> None:
        """With the index gone the marks alone can tell that a segment is short; then the backup has to help."""
        once = marks.load(self._home).records
        now = index.marks()
        for name, count in once.items():
            have = now[name].records if name in now else 0
            if have >= count:
                continue
            saved = mend.mend_from_backup(self._home, name, self._now_ms())
            self._reread(index, name)
            after = index.marks()
            have = after[name].records if name in after else 0
            missing = count - have
            told = f"the journal segment {name} had lost {count - have + saved} of {count} changes"
            if saved:
                told += f"; {saved} came back from the backup"
            if missing > 0:
                told += f"; {missing} could not be found again"
            self.notices.append(told)

    def _reread(self, index: Index, name: str) -> None:
        with index.connection:
            index.connection.execute("DELETE FROM segment WHERE name = ?", (name,))
        self._take_all(index, self._survey(index)[0])

    def _mend_segments(self, index: Index, damaged: Sequence[str]) -> None:
        for name in damaged:
            device, _, segment = name.partition("/")
            lock = system.try_lock(
                os.path.join(self._home, "locks", f"{device}.{segment.removesuffix(journal.SUFFIX)}")
            )
            if lock is None:
                self.notices.append(
                    f"the journal segment {name} is damaged and in use; run any command again to mend it"
                )
                continue
            try:
                with index.connection:
                    saved = mend.mend_from_index(index, self._home, name, self._now_ms())
            finally:
                system.unlock(lock)
            self.notices.append(
                f"the journal segment {name} was damaged; set it aside and wrote {saved} changes anew from the index"
            )

    # Purging

    def purge(self, changes: Sequence[Change]) -> None:
        """Keep the purge changes, then erase what they name from every file."""
        self.append(changes)
        index = self._ready()
        if index is self._private:
            raise StoreError("the purge is decided but the store is busy; it will be finished by the next command")
        with self._apply_lock(10_000) as held:
            if not held:
                raise StoreError("the purge is decided but the store is busy; it will be finished by the next command")
            self._take_all(index, self._pending(index))
            self._finish_purges(index)
            self._write_marks(index)

    def _unfinished_purge(self, index: Index) -> bool:
        return bool(index.connection.execute("SELECT 1 FROM purged WHERE done = 0 LIMIT 1").get)

    def _finish_purges(self, index: Index) -> None:
        if self._hurried:
            return
        subjects = {str(row[0]) for row in index.connection.execute("SELECT subject FROM purged WHERE done = 0")}
        if not subjects:
            return
        erase.erase_in_files(self._home, subjects)
        erase.erase_in_index(index, subjects)
        erase.refresh_marks(index, self._home)
        for _ in range(100):
            with contextlib.suppress(*_BUSY):
                index.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            if erase.log_is_empty(self._home):
                return
            clock.pause(20)
        self.notices.append(
            "another process is reading the store; the last trace of the purged text leaves its log when that ends"
        )

    # Checking

    def verify(self, progress: Progress = no_progress) -> Report:
        """Check every byte we can: checksums, hashes and chains of the journal, and that the index says the same."""
        index = self._current()
        report = Report(memories=int(index.connection.execute("SELECT count(*) FROM memory").get or 0))
        files = [each for each in journal.segments(self._home) if not journal.is_receipts(each[0])]
        for number, (name, _, _) in enumerate(files):
            progress("checking the journal", number, len(files))
            found = mend.scan(journal.path_of(self._home, name))
            report.records += found.records
            for start, subject, what in found.breaks:
                if what == "erased" and index.is_purged(subject):
                    continue
                text = {"chain": indexes.CHAIN, "edited": indexes.EDITED, "erased": indexes.ERASED}[what]
                report.problems.append(Problem(what=text, where=f"{name} at byte {start}", subject=subject))
            if index is not self._private and not mend.agrees(index, self._home, name):
                report.problems.append(
                    Problem(what="the journal and the index disagree about this segment", where=name, fixable=True)
                )
        progress("checking the journal", len(files), len(files))
        report.problems += self._suspicions(index, report)
        report.problems += index.differences(progress)
        return report

    def _suspicions(self, index: Index, report: Report) -> list[Problem]:
        told = {(problem.subject, problem.what) for problem in report.problems}
        rows = index.connection.execute("SELECT subject, reason FROM suspicion ORDER BY subject, reason")
        found = [(str(row[0]), str(row[1])) for row in rows]
        return [Problem(what=reason, subject=subject) for subject, reason in found if (subject, reason) not in told]

    def mend(self, *, from_backup: bool = False, progress: Progress = no_progress) -> Report:
        """Put right what can be put right; what was done is in `mended`, what is left in `problems`."""
        self._refuse_if_unwritable()
        self._progress, before = progress, self._progress
        try:
            index = self._current()
            mended = []
            if from_backup:
                mended += self._mend_from_backups(index)
            report = self.verify(progress)
            if any(problem.fixable for problem in report.problems):
                self._mend_disagreements(self._ready())
                index = self._rebuild("was rebuilt on request")
                mended.append(self.notices.pop() if self.notices else "the index was rebuilt")
                report = self.verify(progress)
            report.mended = mended + [notice for notice in self.notices if notice not in mended]
            return report
        finally:
            self._progress = before

    def _mend_from_backups(self, index: Index) -> list[str]:
        mended = []
        folder = os.path.join(self._home, "backups", "journal")
        with self._apply_lock(10_000) as held:
            if not held:
                raise StoreError("the store is busy; try again")
            for path in system.walk_files(folder):
                name = os.path.relpath(path, folder).replace(os.sep, "/")
                if not name.endswith(journal.SUFFIX) or journal.is_receipts(name):
                    continue
                saved = mend.mend_from_backup(self._home, name, self._now_ms())
                if saved:
                    mended.append(f"{saved} changes of {name} came back from the backup")
                    self._reread(index, name)
            self._write_marks(index)
        return mended

    def _mend_disagreements(self, index: Index) -> None:
        """Before the index is thrown away, let it give back what the journal has lost."""
        if index is self._private:
            return
        with self._apply_lock(10_000) as held:
            if not held:
                raise StoreError("the store is busy; try again")
            broken = [
                name
                for name, _, _ in journal.segments(self._home)
                if not journal.is_receipts(name)
                and not mend.agrees(index, self._home, name)
                and mend.scan(journal.path_of(self._home, name)).breaks
            ]
            self._mend_segments(index, broken)

    def backup(self) -> int:
        """Copy what is new in the journal to the backup; returns the bytes added."""
        index = self._current()
        if index is self._private or not self._writable:
            return 0
        with self._apply_lock(self._patience) as held:
            if not held:
                return 0
            added = mend.back_up(self._home)
            self._write_marks(index, backup_ms=self._now_ms())
            return added

    def backup_if_due(self) -> None:
        hours = self._settings.backup_hours
        if not hours or not self._writable or self._newer or self._index is None:
            return
        if self._now_ms() - marks.load(self._home).backup_ms >= hours * 3_600_000:
            with contextlib.suppress(OSError, apsw.Error, StoreError):
                self.backup()

    def close(self) -> None:
        self._close_index()

    def _close_index(self) -> None:
        if self._index is not None:
            self._index.connection.close()
        self._index, self._private = None, None


def _in_memory() -> Index:
    connection = indexes.connect(
        ":memory:", create=True, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_MEMORY
    )
    indexes.create_tables(connection)
    return Index(connection)
