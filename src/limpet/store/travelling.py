"""Find the segments of a journal that travel to other machines, and read them as far as they are new.

What an earlier round has compared with the shared copy is not read again. It is recognised by the cursors of that
round, as the view recognises how far it has read; if a segment was written to in any other way than by appending, all
of it is read.
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
    """A segment of this machine, with what was compared of it before and the lines after that."""

    name: str
    """The name under which it travels."""
    cursors: tuple[Cursor, ...]
    """Up to where each copy of it was compared; the copy that is continued comes first."""
    copy: int = 1
    """The highest number of a copy."""
    before: ComparedSegment | None = None
    rows: tuple[bytes, ...] | None = None
    """The lines that were not compared; None if they are not in memory."""
    ends: tuple[Cursor, ...] = ()
    """Up to where each copy was read; the fullest copy comes first."""
    count: int = 0
    """How many lines it has in all, once they are read."""

    @property
    def is_longer(self) -> bool:
        """Tell whether the segment has lines that were not compared."""
        return self.before is None or any(cursor.unread for cursor in self.cursors)


@mutable
class TravellingSegments:
    """The segments of a journal that can travel, by the name under which they travel."""

    journal: Journal
    compared: dict[str, ComparedSegment] = field(default_factory=dict)
    _found: dict[str, TravellingSegment] | None = None
    _whole: TravellingSegment | None = None
    """The last segment of which all lines were read; only one of them is kept in memory."""

    def reset(self) -> None:
        """Look for the segments again, because lines were added."""
        self._found = self._whole = None

    def drop_comparison(self, name: str) -> None:
        """Drop the result of comparing a segment, so that the next round compares it from its beginning."""
        if self.compared.pop(name, None) is not None:
            self.reset()

    def drop_comparisons(self) -> None:
        """Drop the results of comparing all segments, as `drop_comparison` does for one."""
        self.compared.clear()
        self.reset()

    def find(self) -> dict[str, TravellingSegment]:
        """Return the segments by the name under which they travel."""
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
        """Return the lines of a segment that were not compared before; of several copies, the fullest is read."""
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
        """Return the cursors of what was compared and still stands, and the names of the other segments."""
        while True:
            cursors = {part[0]: _decode_cursor(part) for each in self.compared.values() for part in each.parts}
            survey = self.journal.survey(cursors)
            changed = {*survey.lost, *(cursor.name for cursor in survey.touched)}
            for each in self.compared.values():
                # Only the first copy is continued. If another one grows, it is not known which is the fullest.
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
        travels_as = _name_for_travel(name, first)
        known = found.get(travels_as)
        if known is None:
            found[travels_as] = TravellingSegment(name=travels_as, cursors=(Cursor(name=name),), copy=_copy_of(name))
            return
        if known.before is not None:
            # Another copy has appeared, so it is not known any more which one is the fullest.
            self.compared.pop(travels_as)
            known.before, known.cursors = None, tuple(Cursor(name=cursor.name) for cursor in known.cursors)
        known.cursors = (*known.cursors, Cursor(name=name))
        known.copy = max(known.copy, _copy_of(name))

    def _read_first(self, name: str) -> str:
        """Return the hash of the first record of a segment; empty if it has none."""
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
    """Return the fields of a cursor that are kept with what was compared."""
    return cursor.name, cursor.applied, cursor.records, cursor.last_start, cursor.last_hash, cursor.modified


def _decode_cursor(part: tuple[str, int, int, int, str, int]) -> Cursor:
    name, applied, records, last_start, last_hash, modified = part
    return Cursor(
        name=name, applied=applied, records=records, last_start=last_start, last_hash=last_hash, modified=modified
    )


def _name_for_travel(name: str, first: str) -> str:
    """Return the name under which a segment travels, which holds the beginning of the hash of its first record."""
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
    """Tell whether a line is a whole record that was not edited."""
    try:
        return lines.parse(row)[1] != lines.EDITED
    except (BadLine, StoreNewer):
        return False
