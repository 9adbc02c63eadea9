"""The interface of a journal: the boundary between a store and its storage backends.

A journal keeps changes in **segments**. A segment belongs to one device, is named `device/…`, and only grows; each of
its records holds the hash of the one before it and a running number, and is signed if the home has a key. A record is
one line (`journal.line`), the same bytes in every backend. A **position** counts the bytes before it: the record at
`start` ends at `start + len(row) + 1`, because a newline follows it.

A reader of the journal, such as the view, keeps a **cursor** for each segment: the position up to which it has read,
and the hash of the last record there. `survey` compares the cursors with the journal and reports new records and
losses; `read` returns the next records. The other methods handle damage, and erase what a person has purged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from limpet.lean.record import Protocol, field, mutable, record
from limpet.model.change import Change
from limpet.store.protocol import Progress, no_progress

Row = tuple[int, bytes]
"""The position of a record in its segment, and its line without the newline."""


@mutable
class Cursor:
    """The position up to which a segment has been read, with the hash and position of the last record before it."""

    name: str
    applied: int = 0
    """The position after the last record that was read."""
    records: int = 0
    """The number of records that were read."""
    last_start: int = 0
    """The position of the last record that was read."""
    last_hash: str = ""
    torn: int = 0
    """The number of lines that were damaged or edited."""
    modified: int = 0
    """The modification time of the segment when it was last read to its end."""
    unread: int = 0
    """The number of bytes after the cursor when the segment was last surveyed. It is not saved."""


MOST_WRITTEN = 64
"""The maximum number of rows of an `append` that are kept. More are read from the journal again."""


@record
class Written:
    """The few rows that the last durable `append` has written.

    A view that has read all rows before them can apply them without reading the journal.
    """

    segment: str
    rows: Sequence[Row]
    before: int
    """The modification time of the segment right before these rows were written."""
    modified: int
    """The modification time of the segment right after these rows were written."""


@mutable
class Survey:
    """What has changed in a journal since some cursors were saved."""

    pending: list[Cursor] = field(default_factory=list)
    """Cursors of segments with new records."""
    touched: list[Cursor] = field(default_factory=list)
    """Cursors of segments that were written to without becoming longer; they may be damaged."""
    lost: list[str] = field(default_factory=list)
    """Names of segments that are missing, or no longer contain the last record that was read."""


@mutable
class SegmentCheck:
    """The result of checking a whole segment."""

    name: str = ""
    records: int = 0
    torn: int = 0
    """The number of lines that are not complete records."""
    breaks: list[tuple[int, str, str]] = field(default_factory=list)
    """The position, subject and problem of each defect. The problem is `chain`, `edited` or `erased`."""
    missing: int = 0
    """The number of missing records, according to the gaps between the running numbers."""


class Journal(Protocol):
    """The journal of a store: the list of all changes."""

    @property
    def device(self) -> str:
        """Return the id of this device, with which the names of its segments begin."""

    def append(self, changes: Sequence[Change], *, after: str = "", durable: bool = True) -> tuple[Change, ...]:
        """Write changes, and return them with their ids and the device id. The ids are higher than `after`.

        If `durable` is set, the changes are on disk when this method returns; otherwise a power cut may lose them.
        """

    @property
    def written(self) -> Written | None:
        """Return the rows that the last durable `append` of this object wrote.

        Return None if there was none yet, or if it wrote more than MOST_WRITTEN rows.
        """

    def survey(self, cursors: Mapping[str, Cursor]) -> Survey:
        """Return what has changed in the journal since these cursors, given by segment name, were saved."""

    def read(self, cursor: Cursor, limit: int) -> list[Row]:
        """Return at most `limit` records after a cursor. The caller must advance the cursor."""

    def find_differences(self, segment: str, rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the given and the actual line of each row that is no longer at its position in a segment.

        The actual line is empty if there is no complete line at that position.
        """

    def rewrite(self, segment: str, rows: Sequence[bytes]) -> Cursor | None:
        """Rewrite a damaged segment from these lines; other complete records in it are kept.

        Return the cursor after these lines, or None if a process is writing to the segment.
        """

    def receive(self, segment: str, rows: Sequence[bytes]) -> None:
        """Append complete lines from another machine to the local copy of its segment.

        They are on disk when this method returns.
        """

    def erase(self, subjects: Set[str], *, segments: Sequence[str] | None = None) -> None:
        """Overwrite the payloads of all changes to the purged items with these ids.

        If `segments` is None, this is done in all files of the journal and its backups, otherwise only in these
        segments.
        """

    def verify(self, progress: Progress = no_progress) -> Iterator[SegmentCheck]:
        """Check all checksums, hashes and chains, and yield a result for each segment. Receipts are not checked."""

    def trim_receipts(self, before_ms: int) -> int:
        """Replace this device's receipts from before a given time with their totals, if some are much older.

        Return the number of replaced receipts.
        """
