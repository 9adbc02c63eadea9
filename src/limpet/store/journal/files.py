"""The journal in files: append-only segments of one device each, which are the memory itself.

What is needed only when something is damaged, purged or trimmed is loaded only then: a hook opens a journal too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from limpet.clock import DAY_MS
from limpet.errors import from_os_error
from limpet.lean.record import replace
from limpet.model.change import Change
from limpet.model.ids import lowest_after
from limpet.store.journal import survey as surveying
from limpet.store.journal.protocol import Cursor, Row, SegmentCheck, Survey
from limpet.store.journal.segments import is_receipts, list_segments, open_segment, path_of, segment_lock
from limpet.store.journal.writer import Writer
from limpet.store.protocol import Progress, no_progress


class FileJournal:
    """A `Journal` in the files of a home."""

    def __init__(self, home: str, *, segment_bytes: int, now_ms: Callable[[], int]) -> None:
        self._home = home
        self._now_ms = now_ms
        self._writer = Writer(home, segment_bytes=segment_bytes, now_ms=now_ms)

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
        self._writer.advance_past(after)
        ids = self._writer.append(records, durable=durable)
        return tuple(
            replace(change, id=change_id, device=self.device, root=change.root or change.subject)
            for change, change_id in zip(changes, ids, strict=True)
        )

    def survey(self, cursors: Mapping[str, Cursor]) -> Survey:
        try:
            return surveying.survey(self._home, cursors)
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
            # Asked after reading: if somebody has appended meanwhile, an older time would not fit what was read, and
            # the next survey would compare the whole segment.
            info = os.fstat(file.fileno())
        if info.st_size == offset:
            cursor.modified = info.st_mtime_ns
        return rows

    def differences(self, segment: str, rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
        return surveying.differing_rows(path_of(self._home, segment), rows)

    def rewrite(self, segment: str, rows: Sequence[bytes]) -> Cursor | None:
        from limpet.store.journal import mend

        with segment_lock(self._home, segment) as is_ours:
            return mend.rewrite(self._home, segment, rows, self._now_ms()) if is_ours else None

    def erase(self, subjects: Set[str], *, segments: Sequence[str] | None = None) -> None:
        from limpet.store.journal import erase

        if segments is None:
            erase.erase_in_files(self._home, subjects)
        for name in segments or ():
            erase.erase_in_file(path_of(self._home, name), subjects)

    def verify(self, progress: Progress = no_progress) -> Iterator[SegmentCheck]:
        from limpet.store.journal.verify import check_segment

        names = [name for name, _, _ in list_segments(self._home) if not is_receipts(name)]
        for number, name in enumerate(names):
            progress("checking the journal", number, len(names))
            yield check_segment(self._home, name)
        progress("checking the journal", len(names), len(names))

    def trim_receipts(self, before_ms: int) -> int:
        from limpet.store.journal.trim import SLACK_DAYS, trim

        much_older = lowest_after(before_ms - SLACK_DAYS * DAY_MS)
        return trim(self._home, self.device, lowest_after(before_ms), if_older_than=much_older)
