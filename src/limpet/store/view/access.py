"""Count how often memories were used, from receipts and from the tallies that add them up."""

from __future__ import annotations

import json

from limpet.model.change import Change, ChangeKind
from limpet.model.receipt import decode_uses, is_tally, session_of
from limpet.store.view.open import View
from limpet.store.view.purged import is_purged


def apply_receipt(view: View, change: Change, segment: str) -> None:
    """Count a receipt, unless it is known: what is read again after a power cut counts once."""
    if is_tally(change.payload):
        _apply_tally(view, change, segment)
        return
    if view.run("SELECT 1 FROM receipt WHERE id = ?", (change.id,)).get:
        return
    body = json.dumps(dict(change.payload))
    view.run("INSERT INTO receipt VALUES (?, ?, ?, ?)", (change.id, session_of(change.payload), segment, body))
    for memory in _count_uses(view, change):
        view.run("INSERT OR IGNORE INTO shown VALUES (?, ?)", (memory, change.id))


def _apply_tally(view: View, change: Change, segment: str) -> None:
    """Count a tally instead of the receipts it was made of, however many of them were counted here before."""
    those = "segment = ? AND id <= ?"
    place = (segment, change.id)
    for table in ("receipt", "tally"):
        for id, body in view.run(f"SELECT id, body FROM {table} WHERE {those}", place).fetchall():
            for memory, use in decode_uses(str(id), json.loads(str(body))).items():
                view.run("UPDATE access SET count = count - ? WHERE memory = ?", (use.count, memory))
    view.run(f"DELETE FROM shown WHERE receipt IN (SELECT id FROM receipt WHERE {those})", place)
    for table in ("receipt", "tally"):
        view.run(f"DELETE FROM {table} WHERE {those}", place)
    body = json.dumps(dict(change.payload))
    view.run("INSERT OR REPLACE INTO tally VALUES (?, ?, ?)", (change.id, segment, body))
    _count_uses(view, change)


def _count_uses(view: View, change: Change) -> list[str]:
    """Add what a receipt says of the use of memories; return those of them that are not purged."""
    used = {id: use for id, use in decode_uses(change.id, change.payload).items() if not is_purged(view, id)}
    for memory, use in used.items():
        view.run(
            "INSERT INTO access VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (memory) DO UPDATE SET "
            "count = count + ?2, last = max(last, ?3), session = CASE WHEN ?5 > named THEN ?4 ELSE session END, "
            "named = max(named, ?5)",
            (memory, use.count, use.last, use.session, use.named),
        )
    return list(used)


def replay_receipts(view: View, source: View, before: str) -> None:
    """Count what was handed out before a moment."""
    found = source.run(
        "SELECT id, segment, body FROM tally WHERE id < ?1 "
        "UNION ALL SELECT id, segment, body FROM receipt WHERE id < ?1",
        (before,),
    )
    for change_id, segment, body in found:
        receipt = Change(id=str(change_id), kind=ChangeKind.RECEIPT, subject="", payload=json.loads(str(body)))
        apply_receipt(view, receipt, str(segment))
