"""Give segments of the journal to other machines, and take theirs.

A segment travels as whole lines. A line that may not leave this machine travels with its payload withheld, so that the
chain, the running numbers and the signatures of the segment can still be checked.

The name of a travelling segment ends with the beginning of the hash of its first record: `000001-1f0c2a9d.jsonl`. So
two journals that a device has begun at the same number, before and after its disk was lost, are never mistaken for each
other. On this machine a segment that came from elsewhere keeps that name, so no writer continues it.

A line that was withheld may arrive in full later. A segment only grows, so it is then stored once more, with a number
after its name; the view takes the fuller of the two lines.

What an earlier round has compared is skipped on both sides: of a segment and its shared copy only the lines after that
are read. A new change may still concern an earlier line, which may then no longer leave, or may leave now; these lines
are looked up one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from limpet.errors import BadLine, StoreNewer
from limpet.lean.digest import sha256
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from limpet.model.keyring import KeyRing
from limpet.store.context import StoreContext
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor
from limpet.store.journal.segments import SUFFIX, is_receipts
from limpet.store.protocol import ComparedSegment, ReceivedSegment
from limpet.store.travelling import TRAVELLING, TravellingSegment, TravellingSegments, encode_cursor
from limpet.store.view.open import View
from limpet.store.view.places import places_of
from limpet.store.view.proof import accepted_devices, vouched_records
from limpet.store.view.purged import purged_subjects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

_ADDING = (
    *(ChangeKind.ADMIT, ChangeKind.IMPORT, ChangeKind.FACT, ChangeKind.PROJECT, ChangeKind.AGENT),
    *(ChangeKind.SESSION, ChangeKind.DEVICE),
)
"""Changes that neither hide nor erase what is here."""
_FAR_REACHING = (ChangeKind.PURGE, ChangeKind.DEVICE)
"""Changes after which every line is examined again."""
_LONGEST_LINE = 16 << 20


class JournalExchange:
    """The segments of a store, as they are exchanged with other machines."""

    def __init__(self, context: StoreContext, view: Callable[[], View]) -> None:
        self._context = context
        self._view = view
        self._segments = TravellingSegments(journal=context.journal)
        self._has_received = False
        self._concerned: dict[str, list[int]] = {}
        """Positions of compared lines that a new change concerns, by the name of their segment."""

    @property
    def device(self) -> str:
        """Return the id under which this machine writes."""
        return self._context.journal.device

    @property
    def conditions(self) -> str:
        """Return a hash of what is decided outside the journal: the keys, and which machines are accepted or held."""
        keys = sorted(self._context.keys().keys)
        parts = (self.device, *keys, "", *sorted(accepted_devices(self._view())), "", *sorted(self._context.held))
        return sha256("\n".join(parts).encode()).hexdigest()[:32]

    def resume(self, compared: Mapping[str, ComparedSegment]) -> None:
        """Skip what an earlier round has compared, as far as the segments here are still the same."""
        self._segments.compared.update(compared)
        self._segments.reset()

    def drop_comparison(self, name: str) -> None:
        """Drop the result of comparing a segment, so that the next round compares it from its beginning."""
        self._concerned.pop(name, None)
        self._segments.drop_comparison(name)

    def apply(self) -> None:
        """Apply what was received to the view; a received purge erases its text here too."""
        self._view()
        if self._has_received:
            self._segments.reset()
            self._has_received = False
        self._find_concerned()

    def names(self) -> tuple[str, ...]:
        """Return the names under which the segments of this machine travel."""
        return tuple(sorted(self._segments.find()))

    def count(self, name: str) -> int:
        """Return how many changes of a segment are here."""
        segment = self._segments.find().get(name)
        if segment is None:
            return 0
        if segment.before is not None and not segment.is_longer:
            return segment.before.records
        if not segment.count:
            self._segments.read(segment)
        return segment.count

    def compared(self, name: str) -> ComparedSegment | None:
        """Return what an earlier round has compared of a segment, if it still holds."""
        segment = self._segments.find().get(name)
        return segment.before if segment else None

    def has_news(self, name: str) -> bool:
        """Tell whether a segment has lines that were not compared, or that a new change concerns."""
        return self._segments.find()[name].is_longer or name in self._concerned

    def combine(self, name: str, file: BinaryIO | None, may_leave: Callable[[Change], bool]) -> bytes | None:
        """Return the lines that a shared copy of a segment should have; None if it belongs to somebody else.

        This machine decides what may leave from its own segments; only a text that was lost here stays in the copy. To
        the segments of other machines it adds missing lines, and erases what was purged, but it adds no text to a line
        that is already there.
        """
        segment = self._segments.find()[name]
        rows, before = self._segments.read(segment), segment.before
        begin, theirs = b"", list[bytes]()
        if file is not None:
            file.seek(0)
            begin = file.read(before.size) if before else b""
            theirs = list(_whole_rows(file, before.last if before else None))
        is_own = name.startswith(f"{self.device}/")
        if is_own:
            theirs, _ = self._cut_unproven(self.device, segment, theirs)
        changed = self._update_begin(segment, begin, may_leave)
        if changed is None or not _share_headers(rows, theirs):
            if before is None:
                # Two journals under one name: what is there belongs to somebody else.
                return None
            self.drop_comparison(name)
            return self.combine(name, file, may_leave)
        best = [
            _choose(stored, there, is_own=is_own, may_leave=may_leave)
            for stored, there in zip(rows, theirs, strict=False)
        ]
        best += (_show(row, may_leave) for row in rows[len(best) :])
        return b"".join((changed, *(row + b"\n" for row in (*best, *theirs[len(best) :]))))

    def compare(self, name: str, data: bytes) -> ComparedSegment | None:
        """Return how far a segment and its shared copy with this content say the same; None if they differ."""
        segment = self._segments.find()[name]
        rows, before = self._segments.read(segment), segment.before
        there = _split(data[before.size if before else 0 :])
        if len(rows) != len(there) or not _share_headers(rows, there) or not segment.count:
            return None
        keys = self._context.keys()
        return ComparedSegment(
            parts=tuple(encode_cursor(cursor) for cursor in segment.ends),
            records=segment.count,
            size=len(data),
            last=lines.header_of(rows[-1])[1] if rows else before.last if before else "",
            is_proven=bool(before and before.is_proven) or any(_is_signed(row, keys) for row in rows),
            withheld=sum(lines.is_withheld(row.partition(b"\t")[2]) for row in _split(data)),
        )

    def receive(self, name: str, file: BinaryIO) -> ReceivedSegment:
        """Store the whole lines of a segment that came from another machine, as far as they are new here."""
        found = TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
        if not name.endswith(SUFFIX) or found is None or found["copy"] or is_receipts(name):
            return ReceivedSegment(refused="its name is not the name of a segment")
        here = self._segments.find().get(name)
        before = here.before if here else None
        start = before.size if before else 0
        known = self._segments.read(here) if here else ()
        file.seek(start)
        if known and _is_equal(file, known):
            # Mostly nothing is new, and checking every line takes long in a large journal.
            return ReceivedSegment()
        file.seek(start)
        rows = list(_whole_rows(file, before.last if before else None))
        waiting = start + sum(len(row) + 1 for row in rows) < file.seek(0, 2)
        if not rows:
            return ReceivedSegment(waiting=waiting)
        if not before and lines.header_of(rows[0])[1][:8] != found["first"]:
            return ReceivedSegment(refused="it does not begin with the record that its name says")
        if any(lines.header_of(row)[0].get("dev") != found["device"] for row in rows):
            return ReceivedSegment(refused="it holds changes of another device")
        if found["device"] == self.device and not self._are_signed(rows[len(known) :]):
            return ReceivedSegment(refused="it claims to be of this machine, but no key here proves its signature")
        rows, refused = self._cut_unproven(found["device"], here, rows)
        if before and any(_is_fuller(new, old) for new, old in zip(rows, known, strict=False)):
            # It is stored once more as a whole, so all of it is needed.
            self.drop_comparison(name)
            return self.receive(name, file)
        received = self._store(name, here, rows, waiting=waiting)
        return replace(received, refused=received.refused or refused)

    def _find_concerned(self) -> None:
        """Find the compared lines that new changes concern."""
        self._concerned = {}
        if not self._segments.compared:
            return
        roots: set[str] = set()
        for segment in self._segments.find().values():
            if not segment.is_longer:
                continue
            for row in self._segments.read(segment):
                change = lines.parse(row)[0]
                if change.kind in _FAR_REACHING:
                    self._segments.drop_comparisons()
                    return
                roots.add(change.root)
        own = {
            segment.cursors[0].name: segment
            for name, segment in self._segments.find().items()
            if segment.before and name.startswith(f"{self.device}/")
        }
        for place, start in places_of(self._view(), roots):
            concerned = own.get(place)
            if concerned is not None and concerned.before and start < concerned.before.parts[0][1]:
                self._concerned.setdefault(concerned.name, []).append(start)

    def _update_begin(
        self, segment: TravellingSegment, begin: bytes, may_leave: Callable[[Change], bool]
    ) -> bytes | None:
        """Return the compared part of a shared copy, with the lines replaced that new changes concern.

        A withheld line is as long as the whole one, so a line has the same position in both. Return None if it has not,
        because damaged lines of this segment did not travel.
        """
        starts = self._concerned.get(segment.name)
        if not starts or segment.before is None:
            return begin
        changed = bytearray(begin)
        for start in starts:
            found = self._context.journal.read(Cursor(name=segment.cursors[0].name, applied=start), 1)
            stored = found[0][1] if found else b""
            there = bytes(changed[start : start + len(stored)])
            if not stored or not _share_headers((stored,), (there,)):
                return None
            changed[start : start + len(stored)] = _choose(stored, there, is_own=True, may_leave=may_leave)
        return bytes(changed)

    def _cut_unproven(self, device: str, here: TravellingSegment | None, rows: list[bytes]) -> tuple[list[bytes], str]:
        """Return the lines up to the last one that is proven, and why the others are not taken.

        If this home has a key, somebody who can write to the shared place could otherwise continue a signed segment. A
        planted line would divide it from what its device writes next, and a planted purge would erase texts here. Of a
        segment without any signature, which is held or older than the key, only what adds something is taken.
        """
        keys = self._context.keys()
        known = self._segments.read(here) if here else ()
        common = _count_common(known, rows)
        if not keys.keys or common == len(rows) or device in accepted_devices(self._view()):
            return rows, ""
        vouched = vouched_records(self._view())

        def is_proven(row: bytes) -> bool:
            return _is_signed(row, keys) or lines.header_of(row)[1] in vouched

        end = max((number for number, row in enumerate(rows, 1) if number > common and is_proven(row)), default=common)
        was_proven = bool(here and here.before and here.before.is_proven)
        if end == common and device != self.device and not was_proven and not any(map(is_proven, known)):
            end = next((n for n, row in enumerate(rows) if n >= common and not _is_adding(row)), len(rows))
        if end == len(rows):
            return rows, ""
        accept = f"copy the key of that machine, or accept it: limpet confirm --device {device}"
        return rows[:end], f"no key here proves its end; {'it is replaced' if device == self.device else accept}"

    def _store(self, name: str, here: TravellingSegment | None, rows: list[bytes], *, waiting: bool) -> ReceivedSegment:
        known = self._segments.read(here) if here else ()
        if not _share_headers(known, rows):
            return ReceivedSegment(refused="it differs from the copy that is here", waiting=waiting)
        journal = self._context.journal
        rows = self._mark_unpurged(rows)
        fuller = sum(_is_fuller(new, old) for new, old in zip(rows, known, strict=False))
        added = max(0, len(rows) - len(known))
        if fuller and here is not None:
            best = [new if _is_fuller(new, old) else old for new, old in zip(rows, known, strict=False)]
            rest = max(rows, list(known), key=len)[len(best) :]
            target = f"{name.removesuffix(SUFFIX)}-{here.copy + 1}{SUFFIX}"
            journal.receive(target, [*best, *rest])
        elif added:
            journal.receive(here.ends[0].name if here else name, rows[len(known) :])
        if fuller or added:
            self._segments.reset()
            self._has_received = True
        return ReceivedSegment(added=added, fuller=fuller, waiting=waiting)

    def _mark_unpurged(self, rows: list[bytes]) -> list[bytes]:
        """Return the lines, with those withheld that were erased although this machine knows of no purge.

        Somebody who can write to the shared place can erase a text there; it may still come from its own machine. If
        its purge arrives, the line is erased then.
        """
        if not any(map(_is_erased, rows)):
            return rows
        gone = purged_subjects(self._view())
        return [
            lines.withhold_erased_row(row) if _is_erased(row) and lines.parse(row)[0].subject not in gone else row
            for row in rows
        ]

    def _are_signed(self, rows: Sequence[bytes]) -> bool:
        keys = self._context.keys()
        return all(_is_signed(row, keys) for row in rows)


def _is_signed(row: bytes, keys: KeyRing) -> bool:
    return lines.proof_of(row, keys) is lines.Proof.GOOD


def _choose(stored: bytes, there: bytes, *, is_own: bool, may_leave: Callable[[Change], bool]) -> bytes:
    """Return the line that a shared copy should have in place of the line that it has."""
    if _is_erased(stored):
        return stored
    if not is_own or (lines.has_text(there) and not lines.has_text(stored)):
        return there
    return _show(stored, may_leave)


def _show(row: bytes, may_leave: Callable[[Change], bool]) -> bytes:
    return row if may_leave(lines.parse(row)[0]) else lines.withhold_row(row)


def _split(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def _whole_rows(file: BinaryIO, last: str | None) -> Iterator[bytes]:
    """Yield the lines of a file up to the first that is not whole, was edited, or does not follow the one before."""
    while (row := file.readline(_LONGEST_LINE)).endswith(b"\n"):
        try:
            _, problem, digest, previous = lines.parse(row[:-1])
        except (BadLine, StoreNewer):
            return
        if problem == lines.EDITED or (last is not None and previous != last):
            return
        yield row[:-1]
        last = digest


def _is_equal(file: BinaryIO, rows: Sequence[bytes]) -> bool:
    """Tell whether the rest of a file has exactly these lines."""
    return all(file.read(len(row) + 1) == row + b"\n" for row in rows) and not file.read(1)


def _share_headers(one: Sequence[bytes], other: Sequence[bytes]) -> bool:
    return _count_common(one, other) == min(len(one), len(other))


def _count_common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Return how many lines at the beginning have the same header in both."""
    count = 0
    for here, there in zip(one, other, strict=False):
        if here.partition(b"\t")[0] != there.partition(b"\t")[0]:
            break
        count += 1
    return count


def _is_adding(row: bytes) -> bool:
    return lines.parse(row)[0].kind in _ADDING


def _is_erased(row: bytes) -> bool:
    return lines.is_erased(row.partition(b"\t")[2])


def _is_fuller(new: bytes, old: bytes) -> bool:
    """Tell whether a line has the payload that is withheld in the other."""
    return lines.is_withheld(old.partition(b"\t")[2]) and lines.has_text(new)
