"""Read whole segments and check every checksum, hash and link of their chains."""

from __future__ import annotations

from limpet.errors import BadLine, StoreNewer
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import SegmentCheck
from limpet.store.journal.records import parse
from limpet.store.journal.segments import path_of, read_rows

_WORDS = {lines.EDITED: "edited", lines.ERASED: "erased"}


def check_segment(home: str, name: str) -> SegmentCheck:
    """Read a segment from its beginning and return what is wrong with it."""
    found = SegmentCheck(name=name)
    last = ""
    for start, row in read_rows(path_of(home, name)):
        if not row:
            continue
        try:
            change, problem, digest, previous = parse(row)
        except BadLine:
            found.torn += 1
            continue
        except StoreNewer:
            break
        if previous != last:
            found.breaks.append((start, change.subject, "chain"))
        if problem is not None:
            found.breaks.append((start, change.subject, _WORDS[problem]))
        last = digest
        found.records += 1
    return found


def verified_end(path: str) -> int:
    """Return how far a segment may be trusted: up to the first broken link or edited payload."""
    last, end = "", 0
    for start, row in read_rows(path):
        if row:
            try:
                _, problem, digest, previous = parse(row)
            except BadLine:
                continue
            except StoreNewer:
                break
            if previous != last or problem == lines.EDITED:
                break
            last = digest
        end = start + len(row) + 1
    return end
