"""Store the journal on disk: each segment is an append-only file that a single device writes.

The modules for repairs, purges and receipt totals are loaded on first use, because a hook opens the journal too and
must be fast.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from limpet.clock import DAY_MS
from limpet.errors import from_os_error
from limpet.lean.record import replace
from limpet.model.change import Change
from limpet.model.ids import lowest_after
from limpet.model.keyring import NO_KEYS, KeyRing
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import MOST_WRITTEN, Cursor, Row, SegmentCheck, Survey, Written
from limpet.store.journal.sealed import length_of
from limpet.store.journal.segments import is_receipts, list_segments, open_segment, path_of, segment_lock
from limpet.store.journal.writer import Writer
from limpet.store.protocol import Progress, no_progress

_TAIL = 8192


class FileJournal:
    """A `Journal` whose segments are files in a home (Limpet's data folder)."""

    def __init__(
        self,
        home: str,
        *,
        segment_bytes: int,
        now_ms: Callable[[], int],
        keys: Callable[[], KeyRing] = lambda: NO_KEYS,
    ) -> None:
        self._home = home
        self._now_ms = now_ms
        self._writer = Writer(home, segment_bytes=segment_bytes, now_ms=now_ms, keys=keys)
        self._written: Written | None = None

    @property
    def written(self) -> Written | None:
        return self._written

    @property
    def device(self) -> str:
        return self._writer.device

    def append(self, changes: Sequence[Change], *, after: str = "", durable: bool = True) -> tuple[Change, ...]:
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
        ids, device = self._writer.append(records, after=after, durable=durable), self.device
        if durable:
            self._written = self._take_written()
        return tuple(
            replace(change, id=change_id, device=device, root=change.root or change.subject)
            for change, change_id in zip(changes, ids, strict=True)
        )

    def _take_written(self) -> Written | None:
        """Return what the writer has just written, or None if these are too many rows to be kept."""
        taken, self._writer.written = self._writer.written, None
        if taken is None or len(taken[1]) > MOST_WRITTEN:
            return None
        segment, rows, before, modified = taken
        return Written(segment=segment, rows=rows, before=before, modified=modified)

    def survey(self, cursors: Mapping[str, Cursor]) -> Survey:
        try:
            return _survey_files(self._home, cursors)
        except OSError as error:
            raise from_os_error(error, "read the journal") from error

    def read(self, cursor: Cursor, limit: int) -> list[Row]:
        rows: list[Row] = []
        with open_segment(path_of(self._home, cursor.name)) as file:
            file.seek(cursor.applied)
            offset = cursor.applied
            for row in file:
                if not row.endswith(b"\n"):
                    break
                rows.append((offset, row[:-1]))
                offset += len(row)
                if len(rows) >= limit:
                    break
            # The file time is read after the records: if another process appends in between, an older time would make
            # the next survey compare the whole segment.
            info = os.fstat(file.fileno())
            is_end = info.st_size == offset or not file.read(1)
        if is_end:
            cursor.modified = info.st_mtime_ns
        return rows

    def find_differences(self, segment: str, rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
        with open_segment(path_of(self._home, segment)) as file:
            for start, row in rows:
                file.seek(start)
                found = file.read(len(row) + 1)
                if found != row + b"\n":
                    yield row, found[:-1] if found.endswith(b"\n") else b""

    def rewrite(self, segment: str, rows: Sequence[bytes]) -> Cursor | None:
        from limpet.store.journal import mend

        with segment_lock(self._home, segment) as is_ours:
            return mend.rewrite(self._home, segment, rows, self._now_ms()) if is_ours else None

    def receive(self, segment: str, rows: Sequence[bytes]) -> None:
        from limpet.store.journal.receive import append_received

        try:
            append_received(self._home, segment, rows)
        except OSError as error:
            raise from_os_error(error, "store what another machine has written") from error

    def erase(self, subjects: Set[str], *, segments: Sequence[str] | None = None) -> None:
        from limpet.store.journal import erase

        if segments is None:
            erase.erase_in_files(self._home, subjects)
        for name in segments or ():
            erase.erase_in_file(path_of(self._home, name), subjects)

    def verify(self, progress: Progress = no_progress) -> Iterator[SegmentCheck]:
        from limpet.store.journal.mend import check_segment

        names = [name for name, _, _ in list_segments(self._home) if not is_receipts(name)]
        for number, name in enumerate(names):
            progress("checking the journal", number, len(names))
            yield check_segment(self._home, name)
        progress("checking the journal", len(names), len(names))

    def trim_receipts(self, before_ms: int) -> int:
        from limpet.store.journal.receipts import SLACK_DAYS, trim

        much_older = lowest_after(before_ms - SLACK_DAYS * DAY_MS)
        return trim(self._home, self.device, lowest_after(before_ms), if_older_than=much_older)


def _survey_files(home: str, cursors: Mapping[str, Cursor]) -> Survey:
    """Compare cursors with the segments on disk, and return what has changed since the cursors were saved."""
    found = Survey()
    known = dict(cursors)
    for name, size, modified in list_segments(home):
        cursor = known.pop(name, None)
        if cursor is not None and size == cursor.applied and modified == cursor.modified:
            continue
        # The file of a sealed segment is compressed, so it is shorter than the lines in it.
        size = length_of(path_of(home, name))
        if cursor is None:
            found.pending.append(Cursor(name=name, unread=max(0, size)))
            continue
        cursor.unread = size - cursor.applied
        if not cursor.unread and modified == cursor.modified:
            continue
        fits = cursor.unread >= 0 and _has_last_record(home, cursor)
        if is_receipts(name):
            # Receipts are not synced to disk, so a power cut may shorten the file. Reading one twice does no harm.
            found.pending.append(cursor if fits else Cursor(name=name, unread=size))
        elif not fits:
            found.lost.append(name)
        elif cursor.unread:
            found.pending.append(cursor)
        else:
            cursor.modified = modified
            found.touched.append(cursor)
    found.lost += [name for name, cursor in known.items() if cursor.records and not is_receipts(name)]
    return found


def _has_last_record(home: str, cursor: Cursor) -> bool:
    """Tell whether the last record before a cursor is still at its position in the file.

    This check is fast, and sufficient unless the file was edited in place.
    """
    if not cursor.records:
        return True
    try:
        with open_segment(path_of(home, cursor.name), buffering=_TAIL) as file:
            file.seek(cursor.last_start)
            row = file.readline()
    except OSError:
        return False
    # The hash is that of a header which was read before, so only the payload may be incomplete.
    return row.endswith(b"\n") and lines.has_header(row[:-1], cursor.last_hash)
