"""Provide the view that answers queries: the shared index, or a private copy while the shared one is unavailable.

No process has to wait for the shared index. A reader that cannot lock it in time copies the index into memory and
applies the remaining changes there. So a stopped process blocks no other process, and every reader sees every
acknowledged write. An index that is missing, damaged or of an older format is rebuilt from the journal.

To find damage without repairing it, call `inspect`. Until `end_inspection` is called, nothing is repaired, and queries
are answered from a private copy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import apsw

from limpet import system
from limpet.errors import StoreDamaged, StoreError, from_os_error
from limpet.store.catch_up import FORGED_MARKS, adopt, apply_all, apply_pending, catch_up, count_records, survey
from limpet.store.context import BUSY, FileStamp, HighWater, StoreContext, stamp_of
from limpet.store.journal.protocol import Written
from limpet.store.protocol import Problem
from limpet.store.view.open import VERSION, View, connect, open_in_memory, version_of

_UNFINISHED = "was not finished"
_MISSING_MARKS = "the high-water marks are missing; a change that was cut off may not be noticed"
_OLDER = "has an older form"
_NEWER = "has a newer form"
_NO_REASON = "not an error"
_NOT_NOW = (*BUSY, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError)
"""Errors that prevent the use of the index for now, but do not mean that the index is damaged."""


class CurrentView:
    """The source of the view that answers queries: the shared index, or a private copy of it in memory."""

    def __init__(self, context: StoreContext) -> None:
        self._context = context
        self.shared: View | None = None
        self.private: View | None = None
        self.is_inspected = False
        """Whether damage was found that must not be repaired until the inspection ends."""
        self.has_own_writes = False
        """Whether the shared view contains everything that this process has written."""

    @property
    def is_open(self) -> bool:
        return self.shared is not None or self.private is not None

    def get(self) -> View:
        """Return an up-to-date view: the shared index, or a private copy while the shared index is unavailable."""
        context = self._context
        if self.is_inspected or (self.private is not None and context.lock.is_skipped()):
            return self._private_copy()
        damage: apsw.Error | None = None
        while True:
            try:
                view = self._open() if damage is None else self._rebuild("was damaged")
                return view if view is not self.private and self.catch_up() else self._private_copy()
            except OSError as error:
                return self._fall_back(error)
            except apsw.Error as error:
                cause = _first_cause(error)
                if isinstance(cause, _NOT_NOW):
                    return self._fall_back(cause)
                if damage is not None:
                    raise StoreDamaged(
                        f"the index cannot be read or rebuilt ({error}); "
                        f"move {context.home}/index.db away and try again"
                    ) from error
                damage = error

    def get_recent(self) -> View:
        """Return a view that contains at least all changes that this process has written.

        If possible, this is the shared index as it is, without reading the journal. Otherwise, the index is updated
        first.
        """
        return self.shared if self.shared is not None and self.has_own_writes else self.get()

    def catch_up(self, wait_ms: int | None = None, *, written: Written | None = None) -> bool:
        """Bring the shared index up to date with the journal; return False if that is not possible now.

        If `written` is given, the index is only guaranteed to contain these rows, not those of other processes.
        """
        self.has_own_writes = False
        view = self._open() if self.shared is None or self._context.index.is_replaced() else self.shared
        self.has_own_writes = view is not self.private and catch_up(self._context, view, wait_ms, written=written)
        return self.has_own_writes

    def inspect(self) -> list[Problem]:
        """Return the damage that opening the view would repair, without repairing it.

        If there is any, nothing is repaired until `end_inspection` is called.
        """
        context = self._context
        if not context.writable:
            return []
        try:
            view, reason = self._load()
            lost = survey(context, view)[1] if view is not None else []
        except apsw.Error as error:
            if isinstance(_first_cause(error), _NOT_NOW):
                return []
            self.shared, view, reason, lost = None, None, "was damaged", []
        except OSError as error:
            raise from_os_error(error, "read the store") from error
        if view is None and self._is_home_empty():
            return []
        problems = _check_high_water(context)
        problems += [
            Problem(what="the journal segment no longer holds what was read from it", where=name, fixable=True)
            for name in lost
        ]
        if view is None:
            # A journal that was copied from elsewhere has never had an index here.
            had_index = HighWater.load(context.home).index is not None
            if had_index and reason not in (_UNFINISHED, _OLDER, _NEWER):
                problems.append(Problem(what=f"the index {reason}", where="index.db", fixable=True))
            problems += _find_losses(context, self._private_copy())
        self.is_inspected = bool(problems)
        return problems

    def end_inspection(self) -> None:
        """Allow the next query to repair the damage that `inspect` has found."""
        if self.is_inspected:
            # Not closed: somebody may still be reading from it.
            self.shared = self.private = None
        self.is_inspected = False

    @contextlib.contextmanager
    def hold(self, wait_ms: int | None = None) -> Iterator[View | None]:
        """Yield the shared index, up to date and locked, or None if it cannot be written or locked.

        `wait_ms` limits how long to wait for a process that holds the lock.
        """
        view: View | None = self.get()
        if view is self.private and wait_ms and self._context.writable and not self.is_inspected:
            with contextlib.suppress(*_NOT_NOW):
                view = self.shared if self.catch_up(wait_ms) else view
        if view is self.private or not self._context.writable:
            yield None
            return
        with self._context.lock.hold(wait_ms) as is_ours:
            yield view if is_ours else None

    def rebuild(self, reason: str) -> str:
        """Rebuild the index from the journal, and return a notice for the user.

        The notice is "the index", followed by `reason` and a summary of the result. It is an empty string if the store
        is new, or if another process is rebuilding or has just rebuilt the index.
        """
        context = self._context
        # Not closed: somebody may still be reading from it, and it is closed when the last reader is gone.
        self.shared = None
        is_new = self._is_home_empty()
        before = context.index.inode()
        with context.lock.hold() as is_ours:
            if not is_ours:
                return ""
            is_done = context.index.inode() not in (before, 0) or (reason == _UNFINISHED and self._is_finished())
            if not is_done:
                # Loaded here, because an index is rarely rebuilt.
                from limpet.store.rebuild import rebuild_index

                kept = reason != _UNFINISHED
                view = rebuild_index(context, keep=kept, is_sound=reason == _OLDER, is_new=is_new)
                self.shared, self.private = view, None
        if is_done:
            # Another process has done it while we waited.
            self._open()
        if is_done or is_new:
            return ""
        from limpet.text.plural import plural

        notice = f"the index {reason}; rebuilt it from the journal with {plural(view.count_memories(), 'memory')}"
        return notice if context.missing else f"{notice}, nothing is lost"

    def _is_home_empty(self) -> bool:
        """Tell whether nothing was ever stored in this home."""
        context = self._context
        has_rows = any(cursor.unread for cursor in context.journal.survey({}).pending)
        return not has_rows and not HighWater.load(context.home).records

    def _rebuild(self, reason: str) -> View:
        """Rebuild the index, add a notice for the user, and return the new view.

        Return a private copy if another process is rebuilding the index.
        """
        notice = self.rebuild(reason)
        if notice:
            self._context.notices.append(notice)
        return self.shared or self._private_copy()

    def copy(self) -> View:
        """Return a copy of the current view in memory, which the caller may change."""
        copied = open_in_memory()
        with copied.connection.backup("main", self.get().connection, "main") as copy:
            copy.step(-1)
        return View(copied.connection)

    def close(self) -> None:
        """Close the shared index and drop the private copy."""
        if self.shared is not None:
            self.shared.connection.close()
        self.shared = self.private = None

    def _open(self) -> View:
        """Open the index, check or rebuild it if necessary, and return it as a view."""
        if not self._context.writable:
            self.shared = None
            return self.private or self._private_copy()
        view, reason = self._load()
        if reason == _NEWER:
            self._context.note_newer()
            return self._private_copy()
        return view or self._rebuild(reason)

    def _load(self) -> tuple[View | None, str]:
        """Open the index and return it with an empty string, or return None with the reason why it cannot be used.

        The reason completes a sentence that begins with "the index".
        """
        context = self._context
        if self.shared is not None:
            if context.index.is_unchanged():
                return self.shared, ""
            self.shared = None
        path = context.index.path
        if system.is_link(path):
            raise StoreError(f"{path} is a symlink, refusing to follow it; remove it and try again")
        stamp = stamp_of(path)
        if stamp is None or stamp[0] == 0:
            return None, "was missing" if stamp is None else "was empty"
        connection = connect(path, create=False, wait_ms=context.lock.patience_ms)
        try:
            found = version_of(connection)
            context.index.is_checked = self._is_as_written(stamp)
            # A check reads the whole index: a hook leaves it to the worker or the next command.
            if found == VERSION and (context.index.is_checked or context.hurried or self._is_sound(connection, stamp)):
                view = View(connection)
                adopt(context, view)
                self.shared, self.private = view, None
                return view, ""
        except apsw.Error as error:
            connection.close()
            if isinstance(_first_cause(error), _NOT_NOW):
                raise
            return None, "was damaged"
        connection.close()
        if found > VERSION:
            return None, _NEWER
        return None, {VERSION: "was damaged", 0: _UNFINISHED}.get(found, _OLDER)

    def _is_as_written(self, stamp: FileStamp) -> bool:
        """Tell whether the index file is unchanged since Limpet last wrote or checked it."""
        context = self._context
        if HighWater.load(context.home).index == stamp:
            return True
        with context.lock.hold():
            # The process that held the lock may have written to the index, and not yet saved its stamp.
            return HighWater.load(context.home).index == stamp_of(context.index.path)

    def _is_sound(self, connection: apsw.Connection, stamp: FileStamp) -> bool:
        """Check the whole index and tell whether it is undamaged.

        If it is, save the stamp of the file, so that the index is not checked again.
        """
        if connection.execute("PRAGMA integrity_check(1)").get != "ok":
            return False
        from limpet.store.view.index_check import is_sound

        context = self._context
        context.index.is_checked = is_sound(View(connection))
        with context.lock.hold(0) as is_ours:
            if context.index.is_checked and is_ours and stamp_of(context.index.path) == stamp:
                marks = HighWater.load(context.home)
                marks.index = stamp
                with contextlib.suppress(OSError):
                    marks.save(context.home)
        return context.index.is_checked

    def _is_finished(self) -> bool:
        connection = connect(self._context.index.path, create=False)
        try:
            return version_of(connection) == VERSION
        finally:
            connection.close()

    def _fall_back(self, error: Exception) -> View:
        """Return a private copy of the index, because an error prevents the use of the shared one.

        The user gets a notice about the error, unless the index was only locked.
        """
        if not isinstance(error, BUSY):
            # SQLite has no words for some failures to write a file.
            reason = "is the disk full?" if str(error) == _NO_REASON else str(error)
            self._context.tell_once(
                f"the index cannot be used now ({reason}); the answer was made from the journal, nothing is lost"
            )
        self._context.lock.skip_for_a_while()
        return self._private_copy()

    def _private_copy(self) -> View:
        """Return an up-to-date private copy of the index in memory.

        It is filled from the shared index, if that can be read, and from the journal.
        """
        try:
            pending, lost = survey(self._context, self.private) if self.private else ([], [""])
            if self.private is None or lost:
                self.private = self._copy_shared()
                apply_all(self._context, self.private)
            else:
                apply_pending(self._context, self.private, pending, self._context.keys())
        except OSError as error:
            raise from_os_error(error, "read the journal") from error
        return self.private

    def _copy_shared(self) -> View:
        private = open_in_memory()
        if self.shared is not None:
            with (
                contextlib.suppress(apsw.Error),
                private.connection.backup("main", self.shared.connection, "main") as copy,
            ):
                copy.step(-1)
            private = View(private.connection)
        return private if version_of(private.connection) == VERSION else open_in_memory()


def _check_high_water(context: StoreContext) -> list[Problem]:
    """Return a problem if another program has changed or removed the file of high-water marks.

    That file contains the number of records of each journal segment and is written with every change.
    """
    keys, found = context.keys(), HighWater.load(context.home)
    if found.is_forged(keys):
        return [Problem(what=FORGED_MARKS, where="marks.json", fixable=True)]
    has_written = any(cursor.unread and context.is_own(cursor.name) for cursor in context.journal.survey({}).pending)
    if keys.keys and has_written and not found.records:
        return [Problem(what=_MISSING_MARKS, where="marks.json", fixable=True)]
    return []


def _find_losses(context: StoreContext, view: View) -> list[Problem]:
    """Return a problem for each journal segment that has fewer records than it once had."""
    have = count_records(view)
    short = ((name, have.get(name, 0), once) for name, once in HighWater.load(context.home).records.items())
    return [
        Problem(what=f"the journal segment has lost {once - count} of {once} changes", where=name, fixable=True)
        for name, count, once in sorted(short)
        if count < once
    ]


def _first_cause(error: Exception) -> Exception:
    """Return the first error in a chain of SQLite errors.

    If the disk is full, SQLite rolls back automatically. The explicit rollback then fails with a less helpful error.
    """
    while isinstance(error.__context__, apsw.Error):
        error = error.__context__
    return error
