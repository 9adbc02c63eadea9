"""Open a store: a journal, and a view of it in SQLite.

All data is in the journal. The view answers queries and can be deleted at any time. The other modules of this package
do the work: `current` opens and checks the view, `catch_up` brings it up to date, `rebuild` rebuilds it, `mend` repairs
the journal, and `purge` erases texts.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import apsw

from limpet import clock, system
from limpet.errors import StoreError, StoreNewer, StoreReadOnly, SymlinkRefused, from_os_error
from limpet.model.change import Change
from limpet.model.ids import lowest_after
from limpet.model.keyring import NO_KEYS, KeyRing
from limpet.settings import StoreSettings
from limpet.store.catch_up import apply_all, embed_at_rest, embed_waiting, save_high_water
from limpet.store.context import NEWER, ApplyLock, HighWater, IndexFile, StoreContext
from limpet.store.current import CurrentView
from limpet.store.journal.files import FileJournal
from limpet.store.journal.segments import is_receipts
from limpet.store.protocol import CheckReport, Exchange, Progress, no_progress
from limpet.store.view.open import load_cursors, open_in_memory
from limpet.store.view.reading import Reading
from limpet.store.view.rows import count_sentences, embed, has_missing_vectors

_HOUR_MS = 3_600_000
_MENDING_MS = 10_000
"""The maximum time that a check waits for another process that repairs the journal."""
_ASKED_MS = 1000
"""The maximum time that a search waits for missing vectors: enough for a few thousand memories."""


def open_store(
    home: str,
    *,
    settings: StoreSettings,
    now_ms: Callable[[], int] = clock.now_ms,
    progress: Progress = no_progress,
    hurried: bool = False,
    keys: Callable[[], KeyRing] = lambda: NO_KEYS,
) -> Store:
    """Open the store in the folder `home`, whose journal consists of files.

    A hook sets `hurried`, so that slow work is left to a later command. `keys` returns the keys that sign changes and
    check signatures.
    """
    home = os.path.realpath(home)
    return Store(
        StoreContext(
            home=home,
            journal=FileJournal(home, segment_bytes=settings.segment_bytes, now_ms=now_ms, keys=keys),
            index=IndexFile(home),
            lock=ApplyLock(home, settings.hook_apply_ms if hurried else settings.apply_wait_ms),
            settings=settings,
            now_ms=now_ms,
            progress=progress,
            hurried=hurried,
            # The home is created by the first write, so that a command that only reads leaves no files behind.
            is_absent=not os.path.lexists(home),
            writable=os.path.lexists(home) and _prepare_home(home),
            notices=[],
            keys=keys,
        )
    )


def _prepare_home(home: str) -> bool:
    """Create the folders of a home; return False if the home can only be read."""
    try:
        system.private_directory(home, os.path.join(home, "journal"), os.path.join(home, "locks"))
    except OSError as error:
        if isinstance(error, SymlinkRefused) or not os.path.isdir(home):
            raise from_os_error(error, "open the store") from error
        return False
    return os.access(home, os.W_OK)


class Store:
    """The implementation of `Store`, which connects a journal with a view of it."""

    def __init__(self, context: StoreContext) -> None:
        self._context = context
        self._current = CurrentView(context)
        self._is_inspecting = False
        self.notices = context.notices

    @property
    def home(self) -> str:
        return self._context.home

    def append(self, changes: Sequence[Change], *, durable: bool = True) -> tuple[Change, ...]:
        """Write changes to the journal, and return them with their ids and the id of this device.

        If `durable` is set, the changes are on disk when this method returns. The view may be updated later.
        """
        if not changes:
            return ()
        context = self._context
        self._require_writable()
        if not self._current.is_open and not context.hurried:
            self._current.get()
        self._require_writable()
        had_all, self._current.has_own_writes = self._current.has_own_writes, False
        written = context.journal.append(changes, after=context.highest, durable=durable)
        if durable and not context.hurried:
            # If this fails, the process that holds the lock updates the view, or else the next reader does.
            with contextlib.suppress(apsw.Error, OSError, StoreError):
                # If an earlier write of this process is missing in the view, these rows alone are not enough.
                self._current.catch_up(wait_ms=0, written=context.journal.written if had_all else None)
        return written

    def reading(self, at: datetime | None = None, *, latest: bool = True) -> Reading:
        """Return an object that answers queries about the current state, or about the state at the past time `at`.

        If `latest` is False, recent changes of other processes may be missing from the current state.
        """
        self._adopt_home()
        view = self._current.get() if latest or at is not None else self._current.get_recent()
        if at is None:
            return Reading(view)
        from limpet.store.view.apply import replay_past

        past = open_in_memory()
        replay_past(past, view, lowest_after(clock.to_ms(at)), self._context.progress)
        embed(past, 1_000_000)
        return Reading(past)

    def rehearse(self, changes: Sequence[Change]) -> Reading:
        """Return an object that answers queries as if the changes had been made. Nothing is written."""
        from limpet.store.view.apply import apply_unwritten

        view = self._current.copy()
        apply_unwritten(view, changes, self._context.now_ms())
        embed(view, 1_000_000)
        return Reading(view)

    def purge(self, changes: Sequence[Change]) -> None:
        """Write changes that purge memories or other items, then erase the purged texts from all files of the store.

        Raise StoreError if another process keeps the store locked. The next command then finishes the purge.
        """
        from limpet.store.purged_texts import finish_purges

        self.append(changes)
        try:
            with self._current.hold(10_000) as view:
                if view is None:
                    raise StoreError(
                        "the purge is decided but the store is busy; it will be finished by the next command"
                    )
                apply_all(self._context, view)
                finish_purges(self._context, view, tries=20)
                save_high_water(self._context, view)
        except OSError as error:
            raise from_os_error(error, "erase the text; the next command will try again") from error

    def verify(self, progress: Progress = no_progress) -> CheckReport:
        """Check the checksums, hashes and chains of the journal, and whether the view agrees with the journal.

        If problems are found, the check is repeated after waiting for the lock: while another process repairs a
        segment, the file is missing for a moment.
        """
        with self.inspection():
            with contextlib.suppress(FileNotFoundError, StoreError):
                report = self._check(progress)
                if not self._context.writable or not any(problem.fixable for problem in report.problems):
                    return report
            if self._context.writable:
                with self._context.lock.hold(_MENDING_MS):
                    pass
            self._current.end_inspection()
            return self._check(progress)

    def _check(self, progress: Progress) -> CheckReport:
        """Check the journal and the view, and return a report of all problems.

        The caller must use `inspection`, so that nothing is repaired meanwhile.
        """
        from limpet.store.journal_repair import verify

        problems = self._current.inspect()
        view = self._current.get()
        report = verify(self._context, view, progress, is_private=view is self._current.private)
        report.problems[:0] = problems
        return report

    @contextlib.contextmanager
    def inspection(self) -> Iterator[None]:
        """Prevent repairs within a `with` block.

        If `verify` finds damage in the block, queries are answered from a copy in memory.
        """
        is_outer, self._is_inspecting = not self._is_inspecting, True
        try:
            yield
        finally:
            if is_outer:
                self._is_inspecting = False
                self._current.end_inspection()

    def mend(self, *, from_backup: bool = False, progress: Progress = no_progress) -> CheckReport:
        """Repair all damage that can be repaired, and return a report.

        The report lists the repairs in `mended`, and the damage that is left in `problems`. If `from_backup` is set,
        records that only the backup still has are restored first.
        """
        from limpet.store.journal_repair import mend_disagreements, mend_from_backup

        self._require_writable()
        context, before = self._context, self._context.progress
        context.progress = progress
        try:
            view = self._current.get()
            mended = mend_from_backup(context, view) if from_backup else []
            if mended:
                # Rebuilt immediately, because the old view would take the restored records for damage.
                self._current.rebuild("was rebuilt on request")
            report = self.verify(progress)
            if any(problem.fixable for problem in report.problems):
                view = self._current.get()
                if view is not self._current.private:
                    mend_disagreements(context, view)
                mended.append(self._current.rebuild("was rebuilt on request") or "the index was rebuilt")
                report = self.verify(progress)
            report.mended = mended + [notice for notice in self.notices if notice not in mended]
            return report
        except OSError as error:
            raise from_os_error(error, "repair the store") from error
        finally:
            context.progress = before

    def heads(self) -> dict[str, tuple[int, str]]:
        """Return the number of records and the hash of the last record of each journal segment, by segment name.

        Segments of receipts (records of memories that were shown) are left out.
        """
        cursors = load_cursors(self._current.get()).values()
        return {each.name: (each.records, each.last_hash) for each in cursors if not is_receipts(each.name)}

    def held_devices(self) -> tuple[str, ...]:
        """Return the ids of unknown devices, whose changes are ignored until a person accepts the device."""
        self._current.get()
        return tuple(sorted(self._context.held))

    def exchange(self) -> Exchange:
        """Return an object that exchanges the journal segments of this store with other machines."""
        from limpet.store.exchange import Exchange

        self._require_writable()
        # The index is created before segments arrive: later its absence would be reported as a loss.
        self._current.get()
        return Exchange(self._context, self._current.get)

    def backup(self) -> int:
        """Copy new records of the journal to the backup, and compress full segments.

        Return the number of bytes that were copied, or 0 if another process holds the lock.
        """
        context = self._context
        with self._current.hold() as view:
            if view is None:
                return 0
            try:
                copies = context.open_backup()
                added = copies.save()
                _remove_temporary_files(context.home, context.now_ms())
            except OSError as error:
                raise from_os_error(error, "write the backup") from error
            # The log may be as long as all texts. Merging it takes long, but no user waits for a backup.
            context.index.empty_log(view)
            save_high_water(context, view, backup_ms=context.now_ms())
            # If the disk is too full for the compressed file, the segment stays as it is.
            with contextlib.suppress(OSError):
                copies.seal(load_cursors(view), context.journal.device, context.settings.segment_bytes)
            return added

    def trim_receipts(self, before: datetime) -> int:
        """Replace receipts from before a given time with their totals, if some of them are much older.

        A receipt is the record that memories were shown. Return the number of replaced receipts.
        """
        context = self._context
        with self._current.hold() as view:
            if view is None:
                return 0
            try:
                apply_all(context, view)
                trimmed = context.journal.trim_receipts(clock.to_ms(before))
                if trimmed:
                    apply_all(context, view)
            except OSError as error:
                raise from_os_error(error, "trim the receipts") from error
            return trimmed

    def rest(self) -> None:
        """Make a backup if it is due, and compute missing vectors for a short time.

        This delays the process, so call it when the process is idle.
        """
        context, view = self._context, self._current.shared
        if view is None or not context.writable or context.newer:
            return
        with contextlib.suppress(OSError, apsw.Error, StoreError):
            hours = context.settings.backup_hours
            if hours and context.now_ms() - HighWater.load(context.home).backup_ms >= hours * _HOUR_MS:
                self.backup()
            if self.has_missing_vectors() or self._can_encode_sentences():
                with context.lock.hold(0) as is_ours:
                    if is_ours and self._current.shared is not None:
                        embed_at_rest(context, self._current.shared)
            if self._current.shared is not None:
                self._current.shared.run("PRAGMA shrink_memory")

    def embed_missing(self) -> None:
        """Compute missing vectors for about a second at most, before a search compares memories by meaning.

        All vectors are missing after the index was rebuilt, or after an update has replaced the table of word vectors.
        """
        context, view = self._context, self._current.shared
        if view is None or not context.writable or context.newer or not has_missing_vectors(view):
            return
        with contextlib.suppress(OSError, apsw.Error), context.lock.hold(0) as is_ours:
            if is_ours:
                embed_waiting(view, budget_ms=_ASKED_MS)

    def _can_encode_sentences(self) -> bool:
        """Tell whether this process has loaded the sentence encoder, and some memories still lack its vectors."""
        # Every process calls this when it ends, even a hook, and most have not loaded the module.
        if "limpet.sentence_encoder" not in sys.modules:
            return False
        from limpet.sentence_encoder import loaded_encoder

        if loaded_encoder() is None:
            return False
        done, total = self.count_sentences()
        return done < total

    def count_sentences(self) -> tuple[int, int]:
        """Return the number of memories with a sentence-encoder vector, and the number that could have one."""
        view = self._current.shared
        return (0, 0) if view is None or not view.has_vectors else count_sentences(view)

    def has_missing_vectors(self) -> bool:
        """Tell whether some memories still have no vector."""
        return self._current.shared is not None and has_missing_vectors(self._current.shared)

    def close(self) -> None:
        """Close the view; the next query opens it again."""
        self._current.close()

    def _adopt_home(self, *, make: bool = False) -> None:
        """Start to use the home if it did not exist when the store was opened, but exists now.

        If `make` is set, create it if necessary.
        """
        context = self._context
        if context.is_absent and (make or os.path.lexists(self.home)):
            context.is_absent, context.writable = False, _prepare_home(self.home)
            # The index is created at once: later its absence would be reported as a loss.
            self._current.close()
            self._current.get()

    def _require_writable(self) -> None:
        if self._context.newer:
            raise StoreNewer(NEWER)
        self._adopt_home(make=True)
        if not self._context.writable:
            raise StoreReadOnly(
                f"the store at {self.home} cannot be written; check its owner and mode, or set LIMPET_HOME"
            )


def _remove_temporary_files(home: str, now_ms: int) -> None:
    """Remove temporary files that killed processes have left."""
    for path in system.walk_files(home):
        if path.endswith(".tmp"):
            with contextlib.suppress(OSError):
                if os.stat(path).st_mtime * 1000 < now_ms - _HOUR_MS:
                    os.unlink(path)
