"""Exchange journal segments with other machines.

A segment is sent as whole lines. If the text of a line must not leave this machine, the payload, which contains the
text, is withheld: it is replaced with a filler. The chain, the running numbers and the signatures of the segment can
still be checked.

The name of a segment in the exchange ends with the first digits of the hash of its first record:
`000001-1f0c2a9d.jsonl`. So two segments to which a device has given the same number, before and after it lost its disk,
are never confused. A segment that came from another machine keeps this name here, so no writer on this machine appends
records to it.

A withheld line may arrive in full later. Since a segment only grows, the whole segment is then stored again, with a
copy number after its name. The view uses the line that has the text.

Lines that an earlier round has compared with the shared copy are skipped. A new change may still affect an earlier
line: its text may now be sent, or no longer be sent. Such lines are looked up one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import BinaryIO

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
from limpet.store.view.positions import places_of
from limpet.store.view.purged import purged_subjects
from limpet.store.view.signatures import accepted_devices, vouched_records

_ADDING = (
    *(ChangeKind.ADMIT, ChangeKind.IMPORT, ChangeKind.FACT, ChangeKind.PROJECT, ChangeKind.AGENT),
    *(ChangeKind.SESSION, ChangeKind.DEVICE),
)
"""The kinds of changes that add something and neither hide nor erase existing data."""
_FAR_REACHING = (ChangeKind.PURGE, ChangeKind.DEVICE)
"""The kinds of changes after which all lines are compared again, because any line may be affected."""
_LONGEST_LINE = 16 << 20


class Exchange:
    """An implementation of `Exchange`: sends and receives the journal segments of one store."""

    def __init__(self, context: StoreContext, view: Callable[[], View]) -> None:
        self._context = context
        self._view = view
        self._segments = TravellingSegments(journal=context.journal)
        self._has_received = False
        self._concerned: dict[str, list[int]] = {}
        """The positions of already compared lines that new changes affect, by segment name."""

    @property
    def device(self) -> str:
        """Return the id of this device, which is part of the names of its segments."""
        return self._context.journal.device

    @property
    def conditions(self) -> str:
        """Return a hash of this device, the keys of this home, and the accepted and unknown devices.

        If the hash changes, segments that were already compared must be compared again.
        """
        keys = sorted(self._context.keys().keys)
        parts = (self.device, *keys, "", *sorted(accepted_devices(self._view())), "", *sorted(self._context.held))
        return sha256("\n".join(parts).encode()).hexdigest()[:32]

    def resume(self, compared: Mapping[str, ComparedSegment]) -> None:
        """Use the results of an earlier comparison, so that unchanged lines are not compared again."""
        self._segments.compared.update(compared)
        self._segments.reset()

    def drop_comparison(self, name: str) -> None:
        """Discard the result of comparing a segment, so that the next round compares it from its beginning."""
        self._concerned.pop(name, None)
        self._segments.drop_comparison(name)

    def apply(self) -> None:
        """Apply received changes to the view.

        If a purge was received, the purged texts are erased here too.
        """
        self._view()
        if self._has_received:
            self._segments.reset()
            self._has_received = False
        self._find_concerned()

    def names(self) -> tuple[str, ...]:
        """Return the names that all segments on this machine have in the exchange, sorted."""
        return tuple(sorted(self._segments.find()))

    def count(self, name: str) -> int:
        """Return how many changes of a segment this machine has."""
        segment = self._segments.find().get(name)
        if segment is None:
            return 0
        if segment.before is not None and not segment.is_longer:
            return segment.before.records
        if not segment.count:
            self._segments.read(segment)
        return segment.count

    def compared(self, name: str) -> ComparedSegment | None:
        """Return the result of an earlier comparison of a segment, or None if no valid result is left."""
        segment = self._segments.find().get(name)
        return segment.before if segment else None

    def has_news(self, name: str) -> bool:
        """Tell whether a segment has lines that have not been compared yet, or that new changes affect."""
        return self._segments.find()[name].is_longer or name in self._concerned

    def combine(self, name: str, file: BinaryIO | None, may_leave: Callable[[Change], bool]) -> bytes | None:
        """Return the new content for the shared copy of a segment, or None if the copy belongs to another journal.

        `file` is the present shared copy, if there is one. In the segments of this device, a text is included only if
        `may_leave` returns True for its change; a text that was lost here is kept in the copy. In the segments of other
        devices, missing lines are added and purged texts are erased, but no text is added to an existing line.
        """
        segment = self._segments.find()[name]
        rows, before = self._segments.read(segment), segment.before
        begin, theirs = b"", list[bytes]()
        if file is not None:
            file.seek(0)
            begin = file.read(before.size) if before else b""
            theirs = list(_whole_rows(file, before.last if before else None))
            if theirs and not before and not _is_named_after(name, theirs[0]):
                # Nobody can use what another program has put here, and no segment with this name begins like this.
                theirs = []
        is_own = name.startswith(f"{self.device}/")
        if is_own:
            theirs, _ = self._cut_unproven(self.device, segment, theirs)
        changed = self._update_begin(segment, begin, may_leave)
        if changed is None or not _share_headers(rows, theirs):
            if before is None:
                # The shared copy belongs to another journal, in which a segment has the same name.
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
        """Compare a segment with the content of its shared copy; return the result, or None if they differ."""
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
        """Store the new lines of a segment that came from another machine, and return the outcome."""
        found = TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
        if not name.endswith(SUFFIX) or found is None or found["copy"] or is_receipts(name):
            return ReceivedSegment(refused="its name is not the name of a segment")
        here = self._segments.find().get(name)
        before = here.before if here else None
        start = before.size if before else 0
        known = self._segments.read(here) if here else ()
        file.seek(start)
        if known and all(file.read(len(row) + 1) == row + b"\n" for row in known) and not file.read(1):
            # Mostly nothing is new, and checking every line takes long in a large journal.
            return ReceivedSegment()
        file.seek(start)
        rows = list(_whole_rows(file, before.last if before else None))
        waiting = start + sum(len(row) + 1 for row in rows) < file.seek(0, 2)
        if not rows:
            return ReceivedSegment(waiting=waiting)
        if not before and not _is_named_after(name, rows[0]):
            return ReceivedSegment(refused="it does not begin with the record that its name says")
        if any(lines.header_of(row)[0].get("dev") != found["device"] for row in rows):
            return ReceivedSegment(refused="it holds changes of another device")
        keys = self._context.keys()
        if found["device"] == self.device and not all(_is_signed(row, keys) for row in rows[len(known) :]):
            return ReceivedSegment(refused="it claims to be of this machine, but no key here proves its signature")
        rows, refused = self._cut_unproven(found["device"], here, rows)
        if before and any(_is_fuller(new, old) for new, old in zip(rows, known, strict=False)):
            # The segment is stored again as a whole, so all its lines are needed.
            self.drop_comparison(name)
            return self.receive(name, file)
        received = self._store(name, here, rows, waiting=waiting)
        return replace(received, refused=received.refused or refused)

    def _find_concerned(self) -> None:
        """Find the already compared lines that new changes affect, and record their positions."""
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
        """Return the already compared beginning of a shared copy, with the lines that new changes affect replaced.

        A withheld line has the same length as the full one, so a line has the same position in the segment and its
        copy. Return None if the positions differ, because damaged lines of this segment were not sent.
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
        """Return the received lines that can be trusted, and the reason why the lines after them are refused.

        The reason is an empty string if no line is refused. In a home with a key, lines after the last signed one are
        refused, unless the device is accepted. Otherwise somebody who can write to the shared folder could append to a
        signed segment: an added line would conflict with the next line of the device, and an added purge would erase
        texts here. A segment without any signature is accepted up to its first line that hides or erases something.
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
            kinds = (lines.parse(row)[0].kind for row in rows[common:])
            end = next((n for n, kind in enumerate(kinds, common) if kind not in _ADDING), len(rows))
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
        """Return the lines, with each erased line whose purge is unknown here marked as withheld.

        Anyone who can write to the shared folder can erase a text in it. A withheld text may still arrive from the
        machine that wrote it; an erased text cannot. If the purge arrives later, the line is erased then.
        """
        if not any(map(_is_erased, rows)):
            return rows
        gone = purged_subjects(self._view())
        return [
            lines.withhold_erased_row(row) if _is_erased(row) and lines.parse(row)[0].subject not in gone else row
            for row in rows
        ]


def _is_named_after(name: str, row: bytes) -> bool:
    """Tell whether the name of a segment in the exchange has the first digits of the hash of this record."""
    found = TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
    return found is not None and lines.header_of(row)[1][:8] == found["first"]


def _is_signed(row: bytes, keys: KeyRing) -> bool:
    return lines.proof_of(row, keys) is lines.Proof.GOOD


def _choose(stored: bytes, there: bytes, *, is_own: bool, may_leave: Callable[[Change], bool]) -> bytes:
    """Return the line for the shared copy: the local line `stored`, or the line `there` that the copy has now.

    The local line is withheld if its text may not leave this machine.
    """
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
    """Yield the lines of a file until a line is incomplete, was edited, or does not continue the hash chain.

    `last` is the hash of the line before the first one; if it is None, the first line may follow any line.
    """
    while (row := file.readline(_LONGEST_LINE)).endswith(b"\n"):
        try:
            _, problem, digest, previous = lines.parse(row[:-1])
        except (BadLine, StoreNewer):
            return
        if problem == lines.EDITED or (last is not None and previous != last):
            return
        yield row[:-1]
        last = digest


def _share_headers(one: Sequence[bytes], other: Sequence[bytes]) -> bool:
    return _count_common(one, other) == min(len(one), len(other))


def _count_common(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Return how many lines at the beginning of both sequences have the same headers."""
    count = 0
    for here, there in zip(one, other, strict=False):
        if here.partition(b"\t")[0] != there.partition(b"\t")[0]:
            break
        count += 1
    return count


def _is_erased(row: bytes) -> bool:
    return lines.is_erased(row.partition(b"\t")[2])


def _is_fuller(new: bytes, old: bytes) -> bool:
    """Tell whether `new` has the payload that is withheld in `old`."""
    return lines.is_withheld(old.partition(b"\t")[2]) and lines.has_text(new)
