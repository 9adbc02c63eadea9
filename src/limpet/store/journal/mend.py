"""Check the segments of a journal in files, and rewrite a damaged segment from complete records.

The caller of `rewrite` must hold the segment's lock. The damaged file is set aside, and its replacement contains
complete records only. Records after the damage are kept in another segment, where their hash chain is unbroken.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from limpet import system
from limpet.errors import BadLine, StoreNewer
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor, SegmentCheck
from limpet.store.journal.segments import SUFFIX, path_of, read_rows, set_aside

_WORDS = {lines.EDITED: "edited", lines.ERASED: "erased"}


def check_segment(home: str, name: str) -> SegmentCheck:
    """Read a whole segment, and return the number of its records and its problems."""
    found = SegmentCheck(name=name)
    last, number = "", 0
    for start, row in read_rows(path_of(home, name)):
        if not row:
            continue
        try:
            change, problem, digest, previous = lines.parse(row)
        except BadLine:
            found.torn += 1
            continue
        except StoreNewer:
            break
        if previous != last:
            found.breaks.append((start, change.subject, "chain"))
        if problem in _WORDS:
            found.breaks.append((start, change.subject, _WORDS[problem]))
        last = digest
        found.records += 1
        # Records of older versions have no numbers, but later numbers include them.
        number, before = lines.number_of(lines.header_of(row)[0]) or number + 1, number
        found.missing += max(0, number - before - 1)
    return found


def find_verified_end(path: str) -> int:
    """Return the position up to which a segment has no broken link in its hash chain and no edited payload."""
    last, end = "", 0
    for start, row in read_rows(path):
        if row:
            try:
                _, problem, digest, previous = lines.parse(row)
            except BadLine:
                continue
            except StoreNewer:
                break
            if previous != last or problem == lines.EDITED:
                break
            last = digest
        end = start + len(row) + 1
    return end


def rewrite(home: str, name: str, rows: Sequence[bytes], now_ms: int) -> Cursor:
    """Rewrite a damaged segment from intact lines, and return the cursor after the last of these lines.

    Other intact lines of the segment are written after them, or to a new segment if they do not continue the chain.
    """
    path = path_of(home, name)
    system.private_directory(os.path.dirname(path))
    cursor = Cursor(name=name)
    for row in rows:
        cursor.last_start, cursor.last_hash = cursor.applied, lines.header_of(row)[1]
        cursor.applied += len(row) + 1
        cursor.records += 1
    following, apart = _split_by_chain(cursor.last_hash, _read_other_rows(path, rows))
    if os.path.lexists(path):
        set_aside(home, path, now_ms)
    system.write_atomically(path, b"".join(row + b"\n" for row in (*rows, *following)))
    if apart:
        system.write_atomically(_find_free_path(path), b"".join(row + b"\n" for row in apart))
    if not following:
        cursor.modified = os.stat(path).st_mtime_ns
    return cursor


def read_whole_rows(path: str) -> list[bytes]:
    """Return the complete, unedited lines of a file, including purged ones.

    Return an empty list if the file cannot be read.
    """
    rows = []
    with contextlib.suppress(OSError):
        for _, row in read_rows(path):
            with contextlib.suppress(ValueError, StoreNewer):
                if lines.parse(row)[1] != lines.EDITED:
                    rows.append(row)
    return rows


def _split_by_chain(last: str, rows: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Split lines into those that continue the chain after the hash `last`, and the others."""
    for number, row in enumerate(rows):
        _, _, digest, previous = lines.parse(row)
        if previous != last:
            return rows[:number], rows[number:]
        last = digest
    return rows, []


def _read_other_rows(path: str, rows: Sequence[bytes]) -> list[bytes]:
    """Return the intact lines of a damaged file that are not among `rows`."""
    known = {row.partition(b"\t")[0] for row in rows}
    others = []
    with contextlib.suppress(OSError):
        for _, row in read_rows(path):
            with contextlib.suppress(ValueError, StoreNewer):
                _, problem, _, _ = lines.parse(row)
                if problem is None and row.partition(b"\t")[0] not in known:
                    others.append(row)
    return others


def _find_free_path(path: str) -> str:
    """Return an unused path for another segment. Its name has a form that no device uses for new segments."""
    base = path.removesuffix(SUFFIX)
    number = 1
    while os.path.lexists(candidate := f"{base}-kept{number}{SUFFIX}"):
        number += 1
    return candidate
