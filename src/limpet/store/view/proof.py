"""Judge which changes carry the signature of this home's keys, and which devices a person has accepted.

In a home that has a key, a record is proven by its own code. A signed record after it proves nothing: a writer
continues wherever a segment ends, and somebody may have appended to the segment. Records that were written before the
home had a key are proven by the change that introduces the key, which names the last record of each segment (`heads`).
Unproven records are kept in the table `unproven`; a memory with such a change is shown with a warning and never
injected unasked, unless a person has accepted the device that wrote it.

A home without a key checks none of this.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.model.change import Change, ChangeKind
from limpet.model.keyring import KeyRing
from limpet.store.journal import line as lines
from limpet.store.journal.line import Proof
from limpet.store.view.open import View
from limpet.store.view.packed import unpack_line
from limpet.store.view.purged import note_suspicion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORGED = "the signature of a change is wrong"
UNSIGNED = "a change is not signed with a key of this home"
FOREIGN = "a change is signed with a key that is not here"

_REASONS = {Proof.NONE: UNSIGNED, Proof.FOREIGN: FOREIGN}


def device_of(segment: str) -> str:
    """Return the device that a segment belongs to."""
    return segment.partition("/")[0]


def record_proof(
    view: View, keys: KeyRing, change: Change, row: bytes, *, segment: str, number: int, digest: str, chained: bool
) -> bool:
    """Record what the signature of a record proves, and tell whether its own code is valid."""
    if not keys.keys:
        note_device(view, change)
        return False
    proof = lines.proof_of(row, keys)
    device = device_of(segment)
    if proof is Proof.WRONG or (proof is Proof.GOOD and change.device != device):
        note_suspicion(view, change.subject, FORGED)
        return False
    note_device(view, change)
    if not chained:
        # The hash of a later record says nothing about the records before a break.
        view.run("UPDATE unproven SET breaks = breaks + 1 WHERE segment = ?", (segment,))
    if proof is not Proof.GOOD and not _is_known(view, change, row, segment):
        values = (segment, number, change.id, change.subject, device, digest, _REASONS[proof])
        view.run("INSERT OR REPLACE INTO unproven VALUES (?, ?, ?, ?, ?, ?, ?, 0)", values)
    return proof is Proof.GOOD


def _is_known(view: View, change: Change, row: bytes, segment: str) -> bool:
    """Tell whether another segment holds the same record, proven; this segment is then a copy of that one."""
    known: Any = view.run(
        "SELECT line, coalesce(subject, root) FROM change c "
        "WHERE id = ? AND source <> coalesce((SELECT key FROM source WHERE name = ?), 0) "
        "AND NOT EXISTS (SELECT 1 FROM unproven u WHERE u.id = c.id)",
        (change.id, segment),
    ).fetchone()
    if known is None:
        return False
    return unpack_line(known[0], change.id, known[1]).partition(b"\t")[0] == row.partition(b"\t")[0]


def note_device(view: View, change: Change) -> None:
    """Record what a change says about a device: a person has accepted it, or it vouches for some last records."""
    if change.kind != ChangeKind.DEVICE:
        return
    if change.payload.get("accepted") is True:
        device = change.subject.removeprefix("device:")
        view.run("INSERT OR IGNORE INTO accepted VALUES (?, ?)", (device, change.id))
    heads = change.payload.get("heads")
    for segment, head in heads.items() if isinstance(heads, Mapping) else ():
        if isinstance(head, list) and len(head) == 2 and isinstance(head[0], int) and isinstance(head[1], str):
            device = change.subject.removeprefix("device:")
            view.run("INSERT OR IGNORE INTO head VALUES (?, ?, ?, ?)", (segment, head[1], device, change.id))


def settle(view: View) -> None:
    """Remove from `unproven` the records that a proven change vouches for."""
    settled = True
    while settled and view.run("SELECT 1 FROM unproven LIMIT 1").get:
        settled = False
        rows: list[Any] = view.run(
            "SELECT u.segment, u.number, u.breaks FROM head t JOIN unproven u "
            "ON u.segment = t.segment AND u.digest = t.digest "
            "WHERE NOT EXISTS (SELECT 1 FROM unproven v WHERE v.subject = 'device:' || t.device AND v.id = t.change)"
        ).fetchall()
        for place in rows:
            # By their hashes, so that the records of a copy of the segment are proven too.
            view.run(
                "DELETE FROM unproven WHERE digest IN "
                "(SELECT digest FROM unproven WHERE segment = ? AND number <= ? AND breaks = ?)",
                place,
            )
            settled = True


def accepted_devices(view: View) -> set[str]:
    """Return the devices that a person has accepted."""
    return {str(row[0]) for row in view.run("SELECT device FROM trusted")}


def vouched_devices(view: View) -> set[str]:
    """Return the devices that a proven change accepts, or whose records it vouches for."""
    rows = view.run(
        "SELECT DISTINCT device FROM head t "
        "WHERE NOT EXISTS (SELECT 1 FROM unproven u WHERE u.subject = 'device:' || t.device AND u.id = t.change)"
    )
    return accepted_devices(view) | {str(row[0]) for row in rows}


def vouched_records(view: View) -> set[str]:
    """Return the hashes of the records that a proven change names as the last ones of their segments."""
    rows = view.run(
        "SELECT digest FROM head t "
        "WHERE NOT EXISTS (SELECT 1 FROM unproven u WHERE u.subject = 'device:' || t.device AND u.id = t.change)"
    )
    return {str(row[0]) for row in rows}


def is_judged_by(view: View, keys: KeyRing) -> bool:
    """Tell whether the view was judged by these keys."""
    return (view.run("SELECT value FROM meta WHERE name = 'keys'").get or "") == " ".join(sorted(keys.keys))


def judge_anew(view: View, keys: KeyRing) -> None:
    """Judge all applied records again with these keys; the caller holds a transaction."""
    for table in ("unproven", "accepted", "head"):
        view.run(f"DELETE FROM {table}")
    view.run("DELETE FROM suspicion WHERE reason = ?", (FORGED,))
    rows: list[Any] = view.run(
        "SELECT s.name, c.line, c.id, coalesce(c.subject, c.root) FROM change c JOIN source s ON s.key = c.source "
        "ORDER BY s.name, c.start"
    ).fetchall()
    here, last, number = "", "", 0
    for segment, packed, change_id, subject in rows:
        row = unpack_line(packed, change_id, subject)
        change, _, digest, previous = lines.parse(row)
        if segment != here:
            here, last, number = segment, "", 0
        number += 1
        chained = previous == last
        record_proof(view, keys, change, row, segment=segment, number=number, digest=digest, chained=chained)
        last = digest
    settle(view)
    view.run("INSERT OR REPLACE INTO meta VALUES ('keys', ?)", (" ".join(sorted(keys.keys)),))
