"""The interface of a journal: the boundary between a store and its storage backends.

A journal keeps changes in **segments**. A segment belongs to one device, is named `device/…`, and only grows; each of
its records holds the hash of the one before it and a running number, and is signed if the home has a key. A record is
one line (`journal.line`), the same bytes in every backend. A **position** counts the bytes before it: the record at
`start` ends at `start + len(row) + 1`, because a newline follows it.

A reader of the journal, such as the view, keeps a **cursor** for each segment: the position up to which it has read,
and the hash of the last record there. `survey` compares the cursors with the journal and reports new rows and losses;
`read` returns the next rows. The other methods handle damage, and erase what a person has purged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from limpet.lean.record import Protocol, field, mutable
from limpet.model.change import Change
from limpet.store.protocol import Progress, no_progress

Row = tuple[int, bytes]
"""The position of a record, and its line without the newline."""


@mutable
class Cursor:
    """The position up to which a segment has been read, with what is needed to recognise that position again."""

    name: str
    applied: int = 0
    """The position after the last row that was read."""
    records: int = 0
    last_start: int = 0
    last_hash: str = ""
    torn: int = 0
    """How many rows were not whole records."""
    modified: int = 0
    """The modification time of the segment when it was last read to its end."""
    unread: int = 0
    """The number of bytes after the cursor at the last survey; not saved."""


@mutable
class Survey:
    """The differences between a journal and some cursors: new rows, and losses."""

    pending: list[Cursor] = field(default_factory=list)
    """Segments with new rows."""
    touched: list[Cursor] = field(default_factory=list)
    """Segments of unchanged length that were written to; only a comparison shows whether they are damaged."""
    lost: list[str] = field(default_factory=list)
    """Segments that are missing, or no longer hold the last record that was read."""


@mutable
class SegmentCheck:
    """The result of reading a whole segment."""

    name: str = ""
    records: int = 0
    torn: int = 0
    breaks: list[tuple[int, str, str]] = field(default_factory=list)
    """Position, subject and problem of each defect; the problem is `chain`, `edited` or `erased`."""
    missing: int = 0
    """How many records are missing, according to the running numbers of the others."""


class Journal(Protocol):
    """The journal of a store: every change, as it was written."""

    @property
    def device(self) -> str:
        """Return the id under which this machine writes; its segments are named `device/…`."""

    def append(self, changes: Sequence[Change], *, after: str = "", durable: bool = True) -> tuple[Change, ...]:
        """Write changes and return them with id and device; their ids are higher than `after`.

        With `durable`, the changes are on disk when this method returns; without it, a power cut may lose them.
        """

    def survey(self, cursors: Mapping[str, Cursor]) -> Survey:
        """Compare the journal with the cursors of a reader."""

    def read(self, cursor: Cursor, limit: int) -> list[Row]:
        """Return the next rows after a cursor, at most `limit`; the caller moves the cursor."""

    def differences(self, segment: str, rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
        """Yield each of these rows that is no longer at its position, with the row that is there now, if any."""

    def rewrite(self, segment: str, rows: Sequence[bytes]) -> Cursor | None:
        """Rewrite a damaged segment from these rows; other whole records in it are kept.

        Return the cursor after these rows, or None if a process is writing to the segment.
        """

    def receive(self, segment: str, rows: Sequence[bytes]) -> None:
        """Append whole lines that another machine has written to the copy of its segment; they are on disk then."""

    def erase(self, subjects: Set[str], *, segments: Sequence[str] | None = None) -> None:
        """Overwrite the payloads of purged subjects, in these segments or in every copy that the journal keeps."""

    def verify(self, progress: Progress = no_progress) -> Iterator[SegmentCheck]:
        """Check every checksum, hash and link of the chains, segment by segment; receipts are not checked."""

    def trim_receipts(self, before_ms: int) -> int:
        """Add up this device's receipts from before a moment, once some are much older.

        Return the number of receipts.
        """
