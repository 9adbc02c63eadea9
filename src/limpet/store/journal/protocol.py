"""What a journal must be able to do; the seam between the backends of a store.

A journal keeps changes in **segments**. A segment belongs to one device, is named `device/…`, and only grows; each of
its records holds the hash of the one before it and a running number, and is signed if the home has a key. A record is
one line (`journal.line`), the same bytes in every backend. A **position** counts the bytes before it: the record at
`start` ends at `start + len(row) + 1`, because a newline follows it.

Whoever derives something from a journal, such as the view, keeps a **cursor** for each segment: how far it has read,
and what the last record there was. `survey` compares the cursors with the journal and says where to read on and what
is missing; `read` returns the next rows. Everything else is about damage and about erasing what a person has purged.
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
    """How far a segment has been read, and how to recognise that place again."""

    name: str
    applied: int = 0
    """The position after the last row that was read."""
    records: int = 0
    last_start: int = 0
    last_hash: str = ""
    torn: int = 0
    """How many rows were no whole records."""
    modified: int = 0
    """When the segment was last changed, if `applied` is its end."""
    unread: int = 0
    """How many bytes the last survey found beyond it; not kept."""


@mutable
class Survey:
    """What a journal holds beyond some cursors, and what it has lost."""

    pending: list[Cursor] = field(default_factory=list)
    """Segments with something new."""
    touched: list[Cursor] = field(default_factory=list)
    """Segments of the same length that somebody has written to: only a comparison can tell whether they are damaged."""
    lost: list[str] = field(default_factory=list)
    """Segments that are gone, or no longer hold the last record that was read."""


@mutable
class SegmentCheck:
    """What reading a whole segment shows."""

    name: str = ""
    records: int = 0
    torn: int = 0
    breaks: list[tuple[int, str, str]] = field(default_factory=list)
    """Position, subject, and what is wrong there: `chain`, `edited` or `erased`."""
    missing: int = 0
    """How many records are missing between others, by their running numbers."""


class Journal(Protocol):
    """The truth of a store: every change, as it was written."""

    @property
    def device(self) -> str:
        """The id under which this machine writes; its segments are named `device/…`."""

    def append(self, changes: Sequence[Change], *, after: str = "", durable: bool = True) -> tuple[Change, ...]:
        """Write changes and return them with id and device; their ids are higher than `after`.

        When `durable`, they are on disk when this returns. What is not durable may be lost in a power cut.
        """

    def survey(self, cursors: Mapping[str, Cursor]) -> Survey:
        """Compare the journal with how far somebody has read it."""

    def read(self, cursor: Cursor, limit: int) -> list[Row]:
        """Return the next rows after a cursor, at most `limit`; the caller moves the cursor."""

    def differences(self, segment: str, rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
        """Yield each of these rows that is not at its position any more, and the row that is there, if there is one."""

    def rewrite(self, segment: str, rows: Sequence[bytes]) -> Cursor | None:
        """Write a damaged segment anew from these rows and keep what else is whole in it.

        Return the cursor after these rows, or None if somebody is writing to the segment.
        """

    def erase(self, subjects: Set[str], *, segments: Sequence[str] | None = None) -> None:
        """Overwrite the payloads of purged subjects, in these segments or in every copy that the journal keeps."""

    def verify(self, progress: Progress = no_progress) -> Iterator[SegmentCheck]:
        """Check every checksum, hash and link of the chains, segment by segment; receipts are not checked."""

    def trim_receipts(self, before_ms: int) -> int:
        """Add up this device's receipts from before a moment, once some are much older; return how many those were."""
