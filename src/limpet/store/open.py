"""The default store: the journal in files, an index in SQLite.

What it promises is kept by others: the journal by `journal`, the index by `keeper`, erasing by `erase`, mending by
`mend`. Here stand the things that can be asked of a store.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from datetime import datetime

import apsw

from limpet import clock, system
from limpet.errors import StoreError, from_os_error
from limpet.lean.record import replace
from limpet.model.change import Change
from limpet.model.ids import lowest_after
from limpet.store.journal import files as journal
from limpet.store.journal import marks, mend
from limpet.store.protocol import Problem, Progress, Report, no_progress
from limpet.store.view import apply as indexes
from limpet.store.view import mend as comparing
from limpet.store.view.apply import Index
from limpet.store.view.browse import Reader
from limpet.store.view.open import Keeper, in_memory
from limpet.store.view.rows import ERASED


class FileStore(Keeper):
    """Implements `Store`."""

    def append(self, changes: Sequence[Change], *, durable: bool = True) -> tuple[Change, ...]:
        """Keep the changes. When this returns they are on disk; making them visible cannot fail them any more."""
        if not changes:
            return ()
        self._refuse_if_unwritable()
        if self._index is None and self._private is None and not self._hurried:
            self._current()
        self._refuse_if_unwritable()
        records = [
            {
                "actor": change.actor,
                "verb": str(change.kind),
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
            # Whoever holds the lock may do it for us; the next reader sees to it in any case.
            with contextlib.suppress(apsw.Error, OSError, StoreError):
                self._catch_up(patience=0)
        return kept

    def reading(self, at: datetime | None = None) -> Reader:
        index = self._current()
        if at is None:
            return Reader(index.connection, vectors=lambda: index.has_vectors)
        past = in_memory()
        past.replay(index, lowest_after(clock.to_ms(at)), self._progress)
        past.embed(1_000_000)
        return Reader(past.connection, vectors=lambda: past.has_vectors)

    def purge(self, changes: Sequence[Change]) -> None:
        """Keep the purge changes, then erase what they name from every file."""
        self.append(changes)
        try:
            index = self._current()
            with self._apply_lock(10_000) as held:
                if not held or index is self._private:
                    raise StoreError(
                        "the purge is decided but the store is busy; it will be finished by the next command"
                    )
                self._take_all(index, self._pending(index))
                self._finish_purges(index, tries=20)
                self._write_marks(index)
        except OSError as error:
            raise from_os_error(error, "erase the text; the next command will try again") from error

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
                text = {"chain": indexes.CHAIN, "edited": indexes.EDITED, "erased": ERASED}[what]
                report.problems.append(Problem(what=text, where=f"{name} at byte {start}", subject=subject))
            if index is not self._private and not comparing.agrees(index, self._home, name):
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
            self._current()
            mended = self._mend_from_backups() if from_backup else []
            if mended:
                # At once, or the index would take what came back for damage.
                self._rebuild("was rebuilt on request")
                self.notices.pop()
            report = self.verify(progress)
            if any(problem.fixable for problem in report.problems):
                self._mend_disagreements(self._current())
                self._rebuild("was rebuilt on request")
                mended.append(self.notices.pop() if self.notices else "the index was rebuilt")
                report = self.verify(progress)
            report.mended = mended + [notice for notice in self.notices if notice not in mended]
            return report
        finally:
            self._progress = before

    def _mend_from_backups(self) -> list[str]:
        mended = []
        folder = os.path.join(self._home, "backups", "journal")
        purged = self._current().purged()
        with self._apply_lock(10_000) as held:
            if not held:
                raise StoreError("the store is busy; try again")
            for path in system.walk_files(folder):
                name = os.path.relpath(path, folder).replace(os.sep, "/")
                if not name.endswith(journal.SUFFIX) or journal.is_receipts(name):
                    continue
                with mend.held(self._home, name) as is_held:
                    if not is_held:
                        raise StoreError(f"the journal segment {name} is in use; try again")
                    saved = mend.mend_from_backup(self._home, name, self._now_ms(), purged)
                if saved:
                    mended.append(f"{saved} changes of {name} came back from the backup")
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
                and not comparing.agrees(index, self._home, name)
                and mend.scan(journal.path_of(self._home, name)).breaks
            ]
            self._mend_segments(index, broken)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[Index | None]:
        """The index, if it is ours to write to and nobody else is at it."""
        index = self._current()
        if index is self._private or not self._writable:
            yield None
            return
        with self._apply_lock(self._patience) as held:
            yield index if held else None

    def backup(self) -> int:
        """Copy what is new in the journal to the backup; returns the bytes added."""
        with self._alone() as index:
            if index is None:
                return 0
            try:
                added = mend.back_up(self._home)
                mend.remove_litter(self._home, self._now_ms())
            except OSError as error:
                raise from_os_error(error, "write the backup") from error
            self._write_marks(index, backup_ms=self._now_ms())
            return added

    def trim_receipts(self, before: datetime) -> int:
        """Add up the receipts from before that moment, as soon as some are much older; how many those were."""
        # Loaded here: no hook that somebody waits for comes this way.
        from limpet.store.journal.trim import SLACK_DAYS, trim

        limit = clock.to_ms(before)
        with self._alone() as index:
            if index is None:
                return 0
            try:
                self._take_all(index, self._pending(index))
                much_older = lowest_after(limit - SLACK_DAYS * clock.DAY_MS)
                trimmed = trim(self._home, self._writer.device, lowest_after(limit), if_older_than=much_older)
                if trimmed:
                    self._take_all(index, self._pending(index))
            except OSError as error:
                raise from_os_error(error, "trim the receipts") from error
            return trimmed

    def _backup_if_due(self) -> None:
        hours = self._settings.backup_hours
        if hours and self._now_ms() - marks.load(self._home).backup_ms >= hours * 3_600_000:
            self.backup()

    def rest(self) -> None:
        """Called when nobody waits for an answer any more: back up if it is time, work off vectors that are missing."""
        if self._index is None or not self._writable or self._newer:
            return
        with contextlib.suppress(OSError, apsw.Error, StoreError):
            self._backup_if_due()
            if self.has_missing_vectors():
                with self._apply_lock(0) as held:
                    if held and self._index is not None:
                        self._work_off(self._index)
            self._index.connection.execute("PRAGMA shrink_memory")

    def has_missing_vectors(self) -> bool:
        """Whether some memories still have no vector."""
        return self._index is not None and self._index.waits_for_vectors()

    def close(self) -> None:
        self._close_index()
        self._private = None
