"""Give segments of the journal to other machines, and take theirs.

A segment travels as whole lines. What may not leave this machine travels with its payload withheld, so that the chain,
the running numbers and the signatures of the segment can still be checked. The name of a segment on its way has the
beginning of the hash of its first record added: `000001-1f0c2a9d.jsonl`. Two journals that a device has begun at the
same number, before and after its disk was lost, are thus never taken for each other. On this machine a segment that
came from elsewhere keeps that name, so no writer continues it.

A line that was withheld may arrive in full later. A segment only grows, so it is then stored once more, under a name
with a number behind it; the view takes the fuller line of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from limpet.errors import BadLine, StoreNewer
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.change import Change, ChangeKind
from limpet.store.context import StoreContext
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor
from limpet.store.journal.segments import SUFFIX, is_device, is_receipts
from limpet.store.protocol import Received
from limpet.store.view.open import View
from limpet.store.view.proof import accepted_devices, vouched_records
from limpet.store.view.purged import purged_subjects

_ALL = 1 << 30
_ADDING = (
    *(ChangeKind.ADMIT, ChangeKind.IMPORT, ChangeKind.FACT, ChangeKind.PROJECT, ChangeKind.AGENT),
    *(ChangeKind.SESSION, ChangeKind.DEVICE),
)
"""Changes that neither hide nor erase what is here."""
_TRAVELLING = lazy(
    r"(?P<device>d[0-9a-f]{12})/(?P<stem>[0-9a-z-]{1,60})-(?P<first>[0-9a-f]{8})(?:-(?P<copy>[1-9]\d?))?"
)


@record
class _Segment:
    """A segment of this machine: its name here, its name on its way, the number of this copy, and its lines."""

    name: str
    travels_as: str
    copy: int
    rows: tuple[bytes, ...]

    @property
    def fullness(self) -> tuple[int, int]:
        """Return how many lines have a text, and how many there are."""
        return sum(map(lines.has_text, self.rows)), len(self.rows)


class JournalExchange:
    """The segments of a store, as they are exchanged with other machines."""

    def __init__(self, context: StoreContext, view: Callable[[], View]) -> None:
        self._context = context
        self._view = view
        self._segments: dict[str, _Segment] | None = None
        self._has_received = False

    @property
    def device(self) -> str:
        """Return the id under which this machine writes."""
        return self._context.journal.device

    def apply(self) -> None:
        """Apply what was received to the view; a purge among it erases its text here too."""
        self._view()
        if self._has_received:
            self._segments, self._has_received = None, False

    def names(self) -> tuple[str, ...]:
        """Return the names under which the segments of this machine travel."""
        return tuple(sorted(self._find_segments()))

    def count(self, name: str) -> int:
        """Return how many changes of a segment are here."""
        segment = self._find_segments().get(name)
        return len(segment.rows) if segment else 0

    def read(self, name: str, may_leave: Callable[[Change], bool]) -> bytes:
        """Return the lines of a segment; the payload of a change that may not leave is withheld."""
        segment = self._find_segments().get(name)
        rows = segment.rows if segment else ()
        shown = (row if may_leave(lines.parse(row)[0]) else lines.withhold_row(row) for row in rows)
        return b"".join(row + b"\n" for row in shown)

    def count_withheld(self, data: bytes) -> int:
        """Return how many of these lines have their payload withheld."""
        return sum(lines.is_withheld(row.partition(b"\t")[2]) for row in _split(data))

    def combine(self, name: str, data: bytes, there: bytes) -> bytes:
        """Return what should stand in a shared copy of a segment: `data`, which was read here, and what is there.

        This machine decides what leaves of its own segments; only a text that was lost here stays as it is there. To
        the segments of other machines it adds lines that are missing, and erases what was purged, but it adds no text
        to a line that is there.
        """
        segment = self._find_segments().get(name)
        if segment is None:
            return data
        ours, theirs = _split(data), list(_whole_rows(there))
        is_own = name.startswith(f"{self.device}/")
        if is_own:
            theirs, _ = self._cut_unproven(self.device, segment, theirs)
        if not _share_headers(ours, theirs):
            # Two journals under one name: what is there belongs to somebody else.
            return there
        best = []
        for stored, here, other in zip(segment.rows, ours, theirs, strict=False):
            if _is_erased(stored):
                best.append(stored)
            elif is_own:
                best.append(other if lines.has_text(other) and not lines.has_text(stored) else here)
            else:
                best.append(other)
        rest = max(ours, theirs, key=len)[len(best) :]
        return b"".join(row + b"\n" for row in (*best, *rest))

    def receive(self, name: str, data: bytes) -> Received:
        """Store the whole lines of a segment that came from another machine, as far as they are new here."""
        found = _TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
        if not name.endswith(SUFFIX) or found is None or found["copy"] or is_receipts(name):
            return Received(refused="its name is not the name of a segment")
        here = self._find_segments().get(name)
        if here is not None and data == b"".join(row + b"\n" for row in here.rows):
            # Mostly nothing is new, and checking every line takes long in a large journal.
            return Received()
        rows = list(_whole_rows(data))
        if not rows:
            return Received(waiting=bool(data))
        if lines.header_of(rows[0])[1][:8] != found["first"]:
            return Received(refused="it does not begin with the record that its name says")
        if any(lines.header_of(row)[0].get("dev") != found["device"] for row in rows):
            return Received(refused="it holds changes of another device")
        waiting = sum(len(row) + 1 for row in rows) < len(data)
        beyond = rows[len(here.rows) if here else 0 :]
        if found["device"] == self.device and not self._are_proven(beyond):
            return Received(refused="it says to be of this machine, but no key here proves its signature")
        rows, refused = self._cut_unproven(found["device"], here, rows)
        received = self._store(name, here, rows, waiting=waiting)
        return replace(received, refused=received.refused or refused)

    def _cut_unproven(self, device: str, here: _Segment | None, rows: list[bytes]) -> tuple[list[bytes], str]:
        """Return the lines up to the last one that is proven, and why the others are not taken.

        If this home has a key, somebody who can write to the shared place could otherwise continue a signed segment. A
        planted line would divide it from what its device writes next, and a planted purge would erase texts here. Of a
        segment without any signature, which is held or older than the key, only what adds something is taken.
        """
        keys = self._context.keys()
        known = here.rows if here else ()
        common = _count_common(known, rows)
        if not keys.keys or common == len(rows) or device in accepted_devices(self._view()):
            return rows, ""
        vouched = vouched_records(self._view())

        def is_proven(row: bytes) -> bool:
            return lines.proof_of(row, keys) is lines.Proof.GOOD or lines.header_of(row)[1] in vouched

        end = max((number for number, row in enumerate(rows, 1) if number > common and is_proven(row)), default=common)
        if end == common and device != self.device and not any(map(is_proven, known)):
            end = next((n for n, row in enumerate(rows) if n >= common and not _is_adding(row)), len(rows))
        if end == len(rows):
            return rows, ""
        accept = f"copy the key of that machine, or accept it: limpet confirm --device {device}"
        return rows[:end], f"no key here proves its end; {'it is replaced' if device == self.device else accept}"

    def _store(self, name: str, here: _Segment | None, rows: list[bytes], *, waiting: bool) -> Received:
        known = here.rows if here else ()
        if not _share_headers(known, rows):
            return Received(refused="it differs from the copy that is here", waiting=waiting)
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
            journal.receive(here.name if here else name, rows[len(known) :])
        if fuller or added:
            self._segments, self._has_received = None, True
        return Received(added=added, fuller=fuller, waiting=waiting)

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

    def _are_proven(self, rows: list[bytes]) -> bool:
        keys = self._context.keys()
        return all(lines.proof_of(row, keys) is lines.Proof.GOOD for row in rows)

    def _find_segments(self) -> dict[str, _Segment]:
        """Return the segments that can travel, by the name under which they do; of several copies the fullest one."""
        if self._segments is None:
            found: dict[str, _Segment] = {}
            for cursor in self._context.journal.survey({}).pending:
                segment = self._read_segment(cursor.name)
                if segment is None:
                    continue
                other = found.get(segment.travels_as, segment)
                copy = max(segment.copy, other.copy)
                found[segment.travels_as] = replace(max(segment, other, key=lambda each: each.fullness), copy=copy)
            self._segments = found
        return self._segments

    def _read_segment(self, name: str) -> _Segment | None:
        device, _, file = name.partition("/")
        if is_receipts(name) or not is_device(device) or not file.endswith(SUFFIX):
            return None
        rows = tuple(row for _, row in self._context.journal.read(Cursor(name=name), _ALL) if _is_record(row))
        if not rows:
            return None
        travelled = _TRAVELLING.fullmatch(name.removesuffix(SUFFIX))
        first = lines.header_of(rows[0])[1][:8]
        if travelled is not None and travelled["first"] == first:
            copy = int(travelled["copy"] or 1)
            return _Segment(name=name, travels_as=f"{device}/{travelled['stem']}-{first}{SUFFIX}", copy=copy, rows=rows)
        stem = re.sub("[^0-9a-z-]", "-", file.removesuffix(SUFFIX).lower())[:60]
        return _Segment(name=name, travels_as=f"{device}/{stem}-{first}{SUFFIX}", copy=1, rows=rows)


def _split(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def _is_record(row: bytes) -> bool:
    try:
        return lines.parse(row)[1] != lines.EDITED
    except (BadLine, StoreNewer):
        return False


def _whole_rows(data: bytes) -> Iterator[bytes]:
    """Yield the lines of a file up to the first that is not whole, was edited, or does not follow the one before."""
    last: str | None = None
    for row in _split(data):
        try:
            _, problem, digest, previous = lines.parse(row)
        except (BadLine, StoreNewer):
            return
        if problem == lines.EDITED or (last is not None and previous != last):
            return
        yield row
        last = digest


def _share_headers(one: tuple[bytes, ...] | list[bytes], other: list[bytes]) -> bool:
    return _count_common(one, other) == min(len(one), len(other))


def _count_common(one: tuple[bytes, ...] | list[bytes], other: list[bytes]) -> int:
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
