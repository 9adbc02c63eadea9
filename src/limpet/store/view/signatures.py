"""Check which changes are signed with the keys of this home, and which devices a person has accepted.

In a home (Limpet's data folder) that has a key, a record is proven by the authentication code in its header. A signed
record after it proves nothing, because a writer continues wherever a segment ends, and somebody else may have appended
to the segment. Records that were written before the home had a key are proven by the change that introduces the key:
it vouches for them by naming the last record of each segment (`heads`). Records that are not proven are listed in the
table `unproven`. A memory with such a change is shown with a warning, and only on request, unless a person has accepted
the device that wrote it.

In a home without a key, nothing is checked.
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
    """Return the id of the device that writes a journal segment, given the name of the segment."""
    return segment.partition("/")[0]


def record_proof(
    view: View, keys: KeyRing, change: Change, row: bytes, *, segment: str, number: int, digest: str, chained: bool
) -> bool:
    """Check the signature of a record, store the result in the index, and return whether the signature is valid.

    `number` is the number of the record in its segment, `digest` the hash of its header, and `chained` tells whether it
    continues the hash chain. Without keys, nothing is checked and the result is False.
    """
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
    if proof is not Proof.GOOD and not _is_proven_elsewhere(view, change, row, segment):
        values = (segment, number, change.id, change.subject, device, digest, _REASONS[proof])
        view.run("INSERT OR REPLACE INTO unproven VALUES (?, ?, ?, ?, ?, ?, ?, 0)", values)
    return proof is Proof.GOOD


def _is_proven_elsewhere(view: View, change: Change, row: bytes, segment: str) -> bool:
    """Tell whether the same record is proven in another segment, of which this segment is a copy."""
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
    """Store what a change says about a device: that a person has accepted it, or which records it vouches for."""
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


def remove_vouched(view: View) -> None:
    """Remove records from the table `unproven` if a proven change vouches for them."""
    has_changed = True
    while has_changed and view.run("SELECT 1 FROM unproven LIMIT 1").get:
        has_changed = False
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
            has_changed = True


def accepted_devices(view: View) -> set[str]:
    """Return the ids of the devices that a person has accepted."""
    return {str(row[0]) for row in view.run("SELECT device FROM trusted")}


def vouched_devices(view: View) -> set[str]:
    """Return the ids of the devices that a person has accepted, or whose records a proven change vouches for."""
    rows = view.run(
        "SELECT DISTINCT device FROM head t "
        "WHERE NOT EXISTS (SELECT 1 FROM unproven u WHERE u.subject = 'device:' || t.device AND u.id = t.change)"
    )
    return accepted_devices(view) | {str(row[0]) for row in rows}


def vouched_records(view: View) -> set[str]:
    """Return the hashes of the records, each the last one of a segment, that a proven change vouches for."""
    rows = view.run(
        "SELECT digest FROM head t "
        "WHERE NOT EXISTS (SELECT 1 FROM unproven u WHERE u.subject = 'device:' || t.device AND u.id = t.change)"
    )
    return {str(row[0]) for row in rows}


def is_checked_with(view: View, keys: KeyRing) -> bool:
    """Tell whether the signatures of all records in the view were checked with these keys."""
    return (view.run("SELECT value FROM meta WHERE name = 'keys'").get or "") == " ".join(sorted(keys.keys))


def check_signatures(view: View, keys: KeyRing) -> None:
    """Check the signatures of all records in the view again with these keys. The caller must begin a transaction."""
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
    remove_vouched(view)
    view.run("INSERT OR REPLACE INTO meta VALUES ('keys', ?)", (" ".join(sorted(keys.keys)),))
