"""Apply rows of the journal to the index; this knows its tables, and nothing of files or locks.

The same code builds the shared index, a private copy in memory and the view of a past moment. Changes are first put
into the table of changes, then every root they touch is folded anew from that table and its rows replaced, so the
order in which changes arrived leaves no trace.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.errors import BadLine, StoreNewer
from limpet.lean.record import mutable
from limpet.model.change import Change, ChangeKind
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor, Row
from limpet.store.view import access
from limpet.store.view.cursors import save_cursor
from limpet.store.view.fold import refold, root_of
from limpet.store.view.open import View
from limpet.store.view.purged import (
    ERASED,
    is_reached_by_purge,
    note_descent,
    note_purge,
    note_rarities,
    note_suspicion,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BATCH = 2000
"""How many rows are applied in one transaction."""

CHAIN = "the chain is broken here: a change was removed, inserted or moved"
EDITED = "a change was edited after it was written"
TWICE = "one change exists in two versions"


@mutable
class Applied:
    """How many changes were applied, and whether one was written by a newer Limpet and stopped the rest."""

    changes: int = 0
    newer: bool = False


def apply_rows(view: View, cursor: Cursor, rows: Sequence[Row], done: Applied) -> None:
    """Apply whole lines of one segment and move its cursor; the caller holds a transaction."""
    note_rarities(view)
    touched: dict[str, list[Change] | None] = {}
    for start, row in rows:
        cursor.applied = start + len(row) + 1
        if not row:
            continue
        try:
            change, problem, digest, previous = lines.parse(row)
        except BadLine:
            cursor.torn += 1
            continue
        except StoreNewer:
            done.newer = True
            cursor.applied = start
            break
        # Receipts are written anew when they are added up, so their chain proves nothing.
        if previous != cursor.last_hash and change.kind != ChangeKind.RECEIPT:
            note_suspicion(view, change.subject, CHAIN)
        cursor.records += 1
        cursor.torn += problem == lines.EDITED
        cursor.last_start, cursor.last_hash = start, digest
        done.changes += 1
        if change.kind == ChangeKind.RECEIPT:
            access.apply_receipt(view, change, cursor.name)
            continue
        root = change.root
        if change.kind == ChangeKind.PURGE:
            touched[root_of(view, change.subject)] = None
        if root not in touched:
            # A root that is new to us need not be read back to be folded.
            known = view.run("SELECT 1 FROM change WHERE root = ? LIMIT 1", (root,)).get
            touched[root] = None if known or problem else []
        if not put_change(view, change, problem, cursor.name, start, row):
            touched[root] = None
        gathered = touched[root]
        if gathered is not None:
            gathered.append(change)
    save_cursor(view, cursor)
    for root, gathered in touched.items():
        refold(view, root, gathered)


def put_change(view: View, change: Change, problem: str | None, segment: str, start: int, row: bytes) -> bool:
    """Put a change into the table of changes; return False if the table now says something else than the change."""
    is_purged = is_reached_by_purge(view, change)
    if change.kind == ChangeKind.PURGE or is_purged:
        note_purge(view, change.subject)
    if change.kind != ChangeKind.PURGE and is_purged and problem != lines.ERASED:
        # A text that arrives after its purge: the file it came in has to be erased again.
        view.run("UPDATE purged SET done = 0 WHERE subject = ?", (change.subject,))
        row = lines.erase_row(row)
    elif problem == lines.ERASED and not is_purged:
        # Perhaps what it descends from was purged elsewhere, and that purge has not arrived yet.
        note_suspicion(view, change.subject, ERASED)
        note_descent(view, change.subject, change.lineage)
    elif problem == lines.EDITED:
        note_suspicion(view, change.subject, EDITED)
    view.run(
        "INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?, ?, ?)",
        (change.id, change.root, change.subject, change.kind, segment, start, row),
    )
    if view.connection.changes():
        return problem is None and not is_purged
    known: Any = view.run("SELECT line, root FROM change WHERE id = ?", (change.id,)).fetchone()
    if bytes(known[0]) == row:
        # Read again after the segment was mended: it may have moved.
        view.run("UPDATE change SET start = ? WHERE id = ? AND segment = ?", (start, change.id, segment))
        return False
    # Of two versions every device must choose the same one, whichever came first.
    if problem != lines.ERASED and not lines.is_erased(bytes(known[0]).partition(b"\t")[2]):
        note_suspicion(view, change.subject, TWICE)
    if lines.rank_of(row) < lines.rank_of(bytes(known[0])):
        view.run(
            "UPDATE change SET root = ?, subject = ?, verb = ?, segment = ?, start = ?, line = ? WHERE id = ?",
            (change.root, change.subject, change.kind, segment, start, row, change.id),
        )
        if known[1] != change.root:
            refold(view, str(known[1]))
    return False
