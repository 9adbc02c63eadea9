"""Find the journal segments that are exchanged with other machines, and read their new lines.

Lines that an earlier sync has compared with the shared copy are not read again. For each segment a cursor (a position)
is kept, up to which the lines were compared. If the segment was changed before that position, all of it is read.
"""

from __future__ import annotations

import re

from limpet.errors import BadLine, StoreNewer
from limpet.lean.pattern import lazy
from limpet.lean.record import field, mutable, replace
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor, Journal
from limpet.store.journal.segments import SUFFIX, is_device, is_receipts
from limpet.store.protocol import ComparedSegment

TRAVELLING = lazy(r"(?P<device>d[0-9a-f]{12})/(?P<stem>[0-9a-z-]{1,60})-(?P<first>[0-9a-f]{8})(?:-(?P<copy>[1-9]\d?))?")
_ALL = 1 << 30


@mutable
class TravellingSegment:
    """A journal segment on this machine: how far it was compared before, and the lines after that."""

    name: str
    """The name of the segment in the exchange with other machines."""
    cursors: tuple[Cursor, ...]
    """A cursor for each local copy, up to which it was compared; records are appended to the first copy."""
    copy: int = 1
    """The highest copy number in the names of the local copies."""
    before: ComparedSegment | None = None
    rows: tuple[bytes, ...] | None = None
    """The lines that were not compared; None if they have not been read."""
    ends: tuple[Cursor, ...] = ()
    """A cursor for each local copy, up to which it was read; the copy with the most texts comes first."""
    count: int = 0
    """The total number of lines, once they have been read."""

    @property
    def is_longer(self) -> bool:
        """Tell whether the segment has lines that were not compared."""
        return self.before is None or any(cursor.unread for cursor in self.cursors)


@mutable
class TravellingSegments:
    """The segments of a journal that can be exchanged with other machines, by their names in the exchange."""

    journal: Journal
    compared: dict[str, ComparedSegment] = field(default_factory=dict)
    _found: dict[str, TravellingSegment] | None = None
    _whole: TravellingSegment | None = None
    """The last segment that was read completely. Only one such segment keeps its lines in memory."""

    def reset(self) -> None:
        """Discard the list of segments, so that `find` reads it again. Call this after lines were added."""
        self._found = self._whole = None

    def drop_comparison(self, name: str) -> None:
        """Discard the result of comparing a segment, so that the next round compares it from its beginning."""
        if self.compared.pop(name, None) is not None:
            self.reset()

    def drop_comparisons(self) -> None:
        """Discard the results of comparing all segments, as `drop_comparison` does for one."""
        self.compared.clear()
        self.reset()

    def find(self) -> dict[str, TravellingSegment]:
        """Return all segments, by their names in the exchange."""
        if self._found is None:
            cursors, pending = self._survey()
            found = {
                name: TravellingSegment(name=name, before=each, cursors=tuple(cursors[part[0]] for part in each.parts))
                for name, each in self.compared.items()
            }
            for segment in found.values():
                segment.copy = max(_copy_of(cursor.name) for cursor in segment.cursors)
            for name in pending:
                self._add(found, name)
            self._found = found
        return self._found

    def read(self, segment: TravellingSegment) -> tuple[bytes, ...]:
        """Return the lines of a segment that were not compared before, from the local copy with the most texts."""
        if segment.rows is None:
            if segment.before is None:
                if self._whole is not None:
                    self._whole.rows = None
                self._whole = segment
            copies = [self._read_copy(cursor) for cursor in segment.cursors]
            best = max(copies, key=lambda each: (sum(map(lines.has_text, each[1])), len(each[1])))
            segment.ends = (best[0], *(cursor for cursor, _ in copies if cursor is not best[0]))
            segment.rows = best[1]
            segment.count = len(best[1]) + (segment.before.records if segment.before else 0)
        return segment.rows

    def _survey(self) -> tuple[dict[str, Cursor], list[str]]:
        """Return the cursors of comparisons that are still valid, by name, and the names of all other segments.

        Invalid comparisons are discarded.
        """
        while True:
            cursors = {part[0]: _decode_cursor(part) for each in self.compared.values() for part in each.parts}
            survey = self.journal.survey(cursors)
            changed = {*survey.lost, *(cursor.name for cursor in survey.touched)}
            for each in self.compared.values():
                # Only the first copy should grow. If another one does, the fullest copy must be found again.
                changed.update(part[0] for part in each.parts[1:] if cursors[part[0]].unread)
            if not changed:
                return cursors, [each.name for each in survey.pending if each.name not in cursors]
            for name, each in list(self.compared.items()):
                if not changed.isdisjoint(part[0] for part in each.parts):
                    del self.compared[name]

    def _add(self, found: dict[str, TravellingSegment], name: str) -> None:
        device, _, file = name.partition("/")
        if is_receipts(name) or not is_device(device) or not file.endswith(SUFFIX):
            return
        first = self._read_first(name)
        if not first:
            return
        exchanged = _make_exchange_name(name, first)
        known = found.get(exchanged)
        if known is None:
            found[exchanged] = TravellingSegment(name=exchanged, cursors=(Cursor(name=name),), copy=_copy_of(name))
            return
        if known.before is not None:
            # Another copy has appeared, so the fullest one must be found again.
            self.compared.pop(exchanged)
            known.before, known.cursors = None, tuple(Cursor(name=cursor.name) for cursor in known.cursors)
        known.cursors = (*known.cursors, Cursor(name=name))
        known.copy = max(known.copy, _copy_of(name))

    def _read_first(self, name: str) -> str:
        """Return the hash of the first record of a segment, or an empty string if it has none."""
        for limit in (1, _ALL):
            for _, row in self.journal.read(Cursor(name=name), limit):
                if is_record(row):
                    return lines.header_of(row)[1]
        return ""

    def _read_copy(self, cursor: Cursor) -> tuple[Cursor, tuple[bytes, ...]]:
        cursor, rows = replace(cursor), []
        for start, row in self.journal.read(cursor, _ALL):
            cursor.applied = start + len(row) + 1
            if is_record(row):
                rows.append(row)
                cursor.records, cursor.last_start = cursor.records + 1, start
        if rows:
            cursor.last_hash = lines.header_of(rows[-1])[1]
        return cursor, tuple(rows)


def encode_cursor(cursor: Cursor) -> tuple[str, int, int, int, str, int]:
    """Return the fields of a cursor that are stored with the result of a comparison (see `ComparedSegment.parts`)."""
    return cursor.name, cursor.applied, cursor.records, cursor.last_start, cursor.last_hash, cursor.modified


def _decode_cursor(part: tuple[str, int, int, int, str, int]) -> Cursor:
    name, applied, records, last_start, last_hash, modified = part
    return Cursor(
        name=name, applied=applied, records=records, last_start=last_start, last_hash=last_hash, modified=modified
    )


def _make_exchange_name(name: str, first: str) -> str:
    """Return the name of a segment in the exchange, which ends with a part of `first`, the hash of its first record."""
    device, _, file = name.partition("/")
    travelled = TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
    if travelled is not None and travelled["first"] == first[:8]:
        return f"{device}/{travelled['stem']}-{first[:8]}{SUFFIX}"
    stem = re.sub("[^0-9a-z-]", "-", file.removesuffix(SUFFIX).lower())[:60]
    return f"{device}/{stem}-{first[:8]}{SUFFIX}"


def _copy_of(name: str) -> int:
    travelled = TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
    return int(travelled["copy"] or 1) if travelled is not None else 1


def is_record(row: bytes) -> bool:
    """Tell whether a line is a complete record that was not edited."""
    try:
        return lines.parse(row)[1] != lines.EDITED
    except (BadLine, StoreNewer):
        return False
