"""Compares the view with the journal, writes a damaged segment anew from the view, and erases inside the view."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.store.journal import files as journal
from limpet.store.journal import line as lines
from limpet.store.journal.mend import rewrite
from limpet.store.journal.records import erase_row
from limpet.store.view.apply import Index


def expected_rows(index: Index, name: str) -> Iterator[tuple[int, bytes]]:
    query = "SELECT start, line FROM change WHERE segment = ? ORDER BY start"
    for start, row in index.connection.execute(query, (name,)):
        yield int(start or 0), bytes(row)


def agrees(index: Index, home: str, name: str, *, is_foreign: bool = False) -> bool:
    """Whether the file still holds, byte for byte, every change that was read from it.

    A text that we purged and somebody's older copy has brought back is no damage: it will be erased again. Nor is one
    that is erased while its purge is under way, here or on the device the segment comes from.
    """
    path = journal.path_of(home, name)
    try:
        with open(path, "rb") as file:
            for start, row in expected_rows(index, name):
                file.seek(start)
                found = file.read(len(row) + 1)
                if found == row + b"\n":
                    continue
                if not found.endswith(b"\n") or not _differs_by_purge(index, row, found[:-1], is_foreign=is_foreign):
                    return False
    except OSError:
        return False
    return True


def _differs_by_purge(index: Index, row: bytes, found: bytes, *, is_foreign: bool) -> bool:
    length = row.find(b"\t") + 1
    if found[:length] != row[:length]:
        return False
    if lines.is_erased(row[length:]):
        return True
    return lines.is_erased(found[length:]) and (is_foreign or index.is_purged(lines.header_of(row)[0]["sub"]))


def mend_from_index(index: Index, home: str, name: str, now_ms: int) -> int:
    """Write a damaged segment anew from the table of changes; returns how many records that saved."""
    rows = [row for _, row in expected_rows(index, name)]
    mark = rewrite(home, name, rows, now_ms)
    index.save_mark(mark)
    start = 0
    for row in rows:
        change_id = lines.header_of(row)[0]["id"]
        index.connection.execute("UPDATE change SET start = ? WHERE id = ?", (start, change_id))
        start += len(row) + 1
    return len(rows)


def erase_in_index(index: Index) -> None:
    """Blank the table of changes and rewrite the full-text index without its tombstones."""
    run = index.connection.execute
    with index.connection:
        rows = run(
            "SELECT c.id, c.line FROM change c JOIN purged p ON p.subject = c.subject "
            "WHERE p.done = 0 AND c.verb <> 'purge'"
        ).fetchall()
        for change_id, row in rows:
            run("UPDATE change SET line = ? WHERE id = ?", (erase_row(bytes(row)), change_id))  # type: ignore[arg-type]
        run("INSERT INTO words (words) VALUES ('optimize')")


def settle(index: Index, subjects: set[str]) -> None:
    """Nothing of these is left anywhere."""
    with index.connection:
        for subject in subjects:
            index.connection.execute("UPDATE purged SET done = 1 WHERE subject = ?", (subject,))


def refresh_marks(index: Index, home: str) -> None:
    """Overwriting changed the files' times; take note, or the next command would examine them all."""
    marks = index.marks()
    for name, _, modified in journal.segments(home):
        if name in marks:
            marks[name].modified = modified
            index.save_mark(marks[name])
