"""Keep how far each segment of the journal is applied."""

from __future__ import annotations

from limpet.store.journal.protocol import Cursor
from limpet.store.view.open import View


def load_cursors(view: View) -> dict[str, Cursor]:
    """Return the cursor of every segment, by its name."""
    rows = view.run("SELECT name, applied, records, last_start, last_hash, torn, modified FROM segment")
    return {
        row[0]: Cursor(
            name=row[0],
            applied=row[1],
            records=row[2],
            last_start=row[3],
            last_hash=row[4],
            torn=row[5],
            modified=row[6],
        )
        for row in rows
    }


def save_cursor(view: View, cursor: Cursor) -> None:
    """Replace the cursor of one segment."""
    view.run(
        "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            cursor.name,
            cursor.applied,
            cursor.records,
            cursor.last_start,
            cursor.last_hash,
            cursor.torn,
            cursor.modified,
        ),
    )
