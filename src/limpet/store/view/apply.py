"""Apply journal records to the index. This module uses the tables of the index, but no files or locks.

The same code fills the shared index, a private copy in memory, and a view of the past. Changes are first stored in the
table of changes. Then the rows of every affected root (the id under which changes are folded together, such as the
first version of a memory) are computed again from all its changes. So the result does not depend on the order in which
changes arrive. The uses of memories are counted from receipts, and from tallies, which contain the sums of old
receipts.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.errors import BadLine, StoreNewer
from limpet.lean import quickjson
from limpet.lean.record import mutable, replace
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import ms_of, stamp
from limpet.model.keyring import NO_KEYS, KeyRing
from limpet.model.receipt import decode_uses, is_tally, session_of, shown_ids
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor, Row
from limpet.store.protocol import Progress
from limpet.store.view.open import View, find_known, key_of_segment, save_cursor
from limpet.store.view.packed import pack_line, unpack_line
from limpet.store.view.purged import (
    ERASED,
    drop_purged,
    is_reached_by_purge,
    note_descent,
    note_purge,
    note_suspicion,
    refresh_flags,
)
from limpet.store.view.signatures import record_proof, remove_vouched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BATCH = 2000
"""The number of records that are applied in one transaction."""

_INSERT = "INSERT OR IGNORE INTO change (root, subject, verb, source, start, line, id) VALUES (?, ?, ?, ?, ?, ?, ?)"

CHAIN = "the chain is broken here: a change was removed, inserted or moved"
EDITED = "a change was edited after it was written"
TWICE = "one change exists in two versions"


@mutable
class ApplyResult:
    """The result of applying journal records to an index."""

    changes: int = 0
    """The number of changes that were applied."""
    receipts: int = 0
    """The number of receipts among the changes. They change no memory."""
    newer: bool = False
    """Whether a record of a newer version of Limpet was found. It and the records after it were not applied."""


def apply_rows(
    view: View,
    cursor: Cursor,
    rows: Sequence[Row],
    done: ApplyResult,
    keys: KeyRing = NO_KEYS,
    *,
    embeds: bool = False,
) -> None:
    """Apply records of one journal segment to the index, and advance its cursor.

    The result is added to `done`. The caller must have begun a transaction. If `embeds` is set, the vectors of new
    memories are stored with them; otherwise they are computed later.
    """
    refresh_flags(view)
    view.embeds = embeds
    source = key_of_segment(view, cursor.name)
    parsed: list[tuple[Change, str | None, int, bytes]] = []
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
        cursor.records += 1
        # Segments of receipts are rewritten when tallies are made, so their chain proves nothing.
        if change.kind != ChangeKind.RECEIPT:
            chained, number = previous == cursor.last_hash, cursor.records
            is_signed = record_proof(
                view, keys, change, row, segment=cursor.name, number=number, digest=digest, chained=chained
            )
            if not chained and not is_signed:
                # Reported for an unsigned record only: a signed record is genuine, whatever is missing before it.
                note_suspicion(view, change.subject, CHAIN)
        cursor.torn += problem == lines.EDITED
        cursor.last_start, cursor.last_hash = start, digest
        done.changes += 1
        if change.kind == ChangeKind.RECEIPT:
            done.receipts += 1
            apply_receipt(view, change, cursor.name)
        else:
            parsed.append((change, problem, start, row))
    touched: dict[str, list[Change] | None] = {}
    known = find_known(view, "change", "root", {change.root for change, *_ in parsed})
    there = find_known(view, "change", "id", [change.id for change, *_ in parsed])
    fresh: list[tuple[Any, ...]] = []
    for change, problem, start, row in parsed:
        root = change.root
        if change.kind == ChangeKind.PURGE:
            from limpet.store.view.folded_rows import root_of

            touched[root_of(view, change.subject)] = None
        if root not in touched:
            # The changes of a new root are all at hand, so they need not be read from the index.
            touched[root] = None if root in known or problem else []
        is_plain = problem is None and change.kind != ChangeKind.PURGE and not is_reached_by_purge(view, change)
        if is_plain and change.id not in there:
            fresh.append(_encode_change(change, source, start, row))
        else:
            _insert_changes(view, fresh)
            other = str(view.run("SELECT root FROM change WHERE id = ?", (change.id,)).get)
            if other in touched:
                # This version may replace a change of another root, which must then be read from the index.
                touched[other] = None
            if not put_change(view, change, problem, source, start, row):
                touched[root] = None
        there.add(change.id)
        gathered = touched[root]
        if gathered is not None:
            gathered.append(change)
    _insert_changes(view, fresh)
    save_cursor(view, cursor)
    if touched:
        # Loaded here, because a hook mostly finds only the receipts of earlier hooks.
        from limpet.store.view.births import refold_all

        refold_all(view, touched)
    remove_vouched(view)


def _refold(view: View, root: str) -> None:
    from limpet.store.view.folded_rows import refold

    refold(view, root)


def _encode_change(change: Change, source: int, start: int, row: bytes) -> tuple[Any, ...]:
    """Return the values of a change for the statement `_INSERT`."""
    subject = None if change.subject == change.root else change.subject
    return change.root, subject, change.kind, source, start, pack_line(row, change.id, change.subject), change.id


def _insert_changes(view: View, fresh: list[tuple[Any, ...]]) -> None:
    """Insert new changes into the table of changes, and empty the list."""
    view.connection.executemany(_INSERT, fresh)
    fresh.clear()


def put_change(view: View, change: Change, problem: str | None, source: int, start: int, row: bytes) -> bool:
    """Put a change into the table of changes; return whether it was new, complete and not purged.

    If the change is in the table already, the better of the two versions is kept: a complete one rather than one that
    was edited or erased. `source` is the key of the segment from which the change was read.
    """
    is_purged = is_reached_by_purge(view, change)
    if change.kind == ChangeKind.PURGE or is_purged:
        note_purge(view, change.subject)
    if change.kind != ChangeKind.PURGE and is_purged and problem != lines.ERASED:
        # The text has arrived after its purge, so it must be erased from the file in which it came.
        view.run("UPDATE purged SET done = 0 WHERE subject = ?", (change.subject,))
        row = lines.erase_row(row)
    elif problem == lines.ERASED and not is_purged:
        # Perhaps a memory from which it is derived was purged on another machine, and that purge has not arrived yet.
        note_suspicion(view, change.subject, ERASED)
        note_descent(view, change.subject, change.lineage)
    elif problem == lines.WITHHELD:
        # A purge of a memory from which it is derived includes it, although its text is not here.
        note_descent(view, change.subject, change.lineage)
    elif problem == lines.EDITED:
        note_suspicion(view, change.subject, EDITED)
    values = _encode_change(change, source, start, row)
    view.run(_INSERT, values)
    if view.connection.changes():
        return problem is None and not is_purged
    packed, subject, root = view.run(
        "SELECT line, coalesce(subject, root), root FROM change WHERE id = ?", (change.id,)
    ).fetchone() or (b"", "", "")
    known = unpack_line(packed, change.id, str(subject))
    if known == row:
        # The segment was repaired and is read again, so the record may be at another position.
        view.run("UPDATE change SET start = ? WHERE id = ? AND source = ?", (start, change.id, source))
        return False
    # Every device must choose the same one of two versions, whichever arrived first.
    if lines.has_text(row) and lines.has_text(known):
        note_suspicion(view, change.subject, TWICE)
    if lines.rank_of(row) < lines.rank_of(known):
        from limpet.store.view.search_rows import clear_facets

        # Before the line is replaced, because the memory's text, which names the facets, may be stored only there.
        born = view.run("SELECT key FROM memory WHERE birth = (SELECT key FROM change WHERE id = ?)", (change.id,))
        for (key,) in born.fetchall():
            clear_facets(view, int(key or 0))
        view.run(
            "UPDATE change SET root = ?, subject = ?, verb = ?, source = ?, start = ?, line = ? WHERE id = ?", values
        )
        if root != change.root:
            _refold(view, str(root))
    return False


def apply_receipt(view: View, change: Change, segment: str) -> None:
    """Add the memory uses that a receipt or tally of a segment records to the index.

    A receipt that is read twice, for example after a power cut, is counted once.
    """
    if is_tally(change.payload):
        _apply_tally(view, change, segment)
        return
    if view.run("SELECT 1 FROM receipt WHERE id = ?", (change.id,)).get:
        return
    body = quickjson.dumps(dict(change.payload))
    view.run("INSERT INTO receipt VALUES (?, ?, ?, ?)", (change.id, session_of(change.payload), segment, body))
    _count_uses(view, change)
    for memory in drop_purged(view, shown_ids(change.payload)):
        view.run("INSERT OR IGNORE INTO shown VALUES (?, ?)", (memory, change.id))


def _apply_tally(view: View, change: Change, segment: str) -> None:
    """Count a tally in place of the receipts that it replaces. Some or all of these may have been counted before."""
    those = "segment = ? AND id <= ?"
    place = (segment, change.id)
    for table in ("receipt", "tally"):
        for id, body in view.run(f"SELECT id, body FROM {table} WHERE {those}", place).fetchall():
            for memory, use in decode_uses(str(id), quickjson.loads(str(body))).items():
                view.run("UPDATE access SET count = count - ? WHERE memory = ?", (use.count, memory))
    view.run(f"DELETE FROM shown WHERE receipt IN (SELECT id FROM receipt WHERE {those})", place)
    for table in ("receipt", "tally"):
        view.run(f"DELETE FROM {table} WHERE {those}", place)
    body = quickjson.dumps(dict(change.payload))
    view.run("INSERT OR REPLACE INTO tally VALUES (?, ?, ?)", (change.id, segment, body))
    _count_uses(view, change)


def _count_uses(view: View, change: Change) -> None:
    """Add the memory uses that a receipt or tally records, except those of purged memories."""
    used = decode_uses(change.id, change.payload)
    for memory in drop_purged(view, used):
        use = used[memory]
        view.run(
            "INSERT INTO access VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (memory) DO UPDATE SET "
            "count = count + ?2, last = max(last, ?3), session = CASE WHEN ?5 > named THEN ?4 ELSE session END, "
            "named = max(named, ?5)",
            (memory, use.count, use.last, use.session, use.named),
        )


def apply_unwritten(view: View, changes: Sequence[Change], now_ms: int) -> None:
    """Apply changes that are not in the journal. The view must be a private copy."""
    highest = str(view.run("SELECT max(id) FROM change").get or "")
    start = max(now_ms, ms_of(highest) + 1 if highest else 0)
    with view.connection:
        roots: dict[str, None] = {}
        source = key_of_segment(view, "")
        for number, change in enumerate(changes):
            made = replace(change, id=stamp(start + number), root=change.root or change.subject)
            row, _ = lines.encode(
                id=made.id,
                device="",
                actor=made.actor,
                verb=str(made.kind),
                subject=made.subject,
                root=made.root,
                lineage=made.lineage,
                payload=made.payload,
                previous="",
            )
            put_change(view, made, None, source, 0, row)
            roots[made.root] = None
        for root in roots:
            _refold(view, root)


def replay_receipts(view: View, source: View, before: str) -> None:
    """Apply the receipts and tallies in the view `source` that have ids below `before` to another view."""
    found = source.run(
        "SELECT id, segment, body FROM tally WHERE id < ?1 "
        "UNION ALL SELECT id, segment, body FROM receipt WHERE id < ?1",
        (before,),
    )
    for change_id, segment, body in found:
        receipt = Change(id=str(change_id), kind=ChangeKind.RECEIPT, subject="", payload=quickjson.loads(str(body)))
        apply_receipt(view, receipt, str(segment))


def replay_past(view: View, source: View, before: str, progress: Progress) -> None:
    """Fill an empty view with a past state: the result of the changes in `source` with ids below `before`."""
    found = source.run(
        "SELECT line, id, coalesce(subject, root) FROM change WHERE id < ? ORDER BY id", (before,)
    ).fetchall()
    with view.connection:
        roots: dict[str, None] = {}
        past = key_of_segment(view, "past")
        for packed, change_id, subject in found:
            row = unpack_line(packed, str(change_id), str(subject))
            change, problem, _, _ = lines.parse(row)
            put_change(view, change, problem, past, 0, row)
            roots[change.root] = None
        for number, root in enumerate(roots):
            _refold(view, root)
            progress("going back in time", number + 1, len(roots))
        replay_receipts(view, source, before)
        # Suspicions are copied, because a text that a later purge has erased is not suspicious.
        view.run("DELETE FROM suspicion")
        for subject, reason in source.run("SELECT subject, reason FROM suspicion"):
            note_suspicion(view, str(subject), str(reason))
        for table in ("unproven", "accepted", "head"):
            for values in source.run(f"SELECT * FROM {table}").fetchall():
                view.run(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
