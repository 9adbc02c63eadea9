"""Compare the segments with how far somebody has read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor, Row, Survey
from limpet.store.journal.segments import is_receipts, list_segments, path_of


def survey(home: str, cursors: Mapping[str, Cursor]) -> Survey:
    """Return which segments have something new, which were touched, and which have lost something."""
    found = Survey()
    known = dict(cursors)
    for name, size, modified in list_segments(home):
        cursor = known.pop(name, None)
        if cursor is None:
            found.pending.append(Cursor(name=name, unread=size))
            continue
        cursor.unread = size - cursor.applied
        if not cursor.unread and modified == cursor.modified:
            continue
        fits = cursor.unread >= 0 and tail_fits(home, cursor)
        if is_receipts(name):
            # Not synced, so a power cut may shorten them; they are counts, and what is read twice counts once.
            found.pending.append(cursor if fits else Cursor(name=name, unread=size))
        elif not fits:
            found.lost.append(name)
        elif cursor.unread:
            found.pending.append(cursor)
        else:
            cursor.modified = modified
            found.touched.append(cursor)
    found.lost += [name for name, cursor in known.items() if cursor.records and not is_receipts(name)]
    return found


def tail_fits(home: str, cursor: Cursor) -> bool:
    """Tell whether the last record that was read is still where it was.

    This is cheap, and enough unless somebody edits in place.
    """
    if not cursor.records:
        return True
    try:
        with open(path_of(home, cursor.name), "rb") as file:
            file.seek(cursor.last_start)
            row = file.readline()
        return row.endswith(b"\n") and lines.is_whole(row[:-1]) and lines.header_of(row[:-1])[1] == cursor.last_hash
    except (OSError, ValueError):
        return False


def differing_rows(path: str, rows: Iterable[Row]) -> Iterator[tuple[bytes, bytes]]:
    """Yield each row that is not at its position any more, and the row that is there, if there is one."""
    with open(path, "rb") as file:
        for start, row in rows:
            file.seek(start)
            found = file.read(len(row) + 1)
            if found != row + b"\n":
                yield row, found[:-1] if found.endswith(b"\n") else b""
