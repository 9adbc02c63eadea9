"""Add up old receipts in a tally, so that their number does not grow without limit.

A tally has the id of the last receipt that was added up and is in the same segment. A view that reads a tally first
subtracts everything that it had counted in that segment up to this id, so it may have seen any number of the receipts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from limpet import system
from limpet.errors import BadLine, StoreNewer
from limpet.model.change import Change, ChangeKind
from limpet.model.receipt import TALLY, Use, decode_uses, encode_tally, is_tally
from limpet.store.journal import line as lines
from limpet.store.journal.segments import is_receipts, list_segments, path_of, read_rows, segment_lock

_LOOKED_AT = 100
SLACK_DAYS = 30
"""How many days longer than requested the oldest receipt is kept, so that a file is rewritten monthly, not daily."""


def tally_row(old: Sequence[Change], device: str) -> bytes:
    """Return the row of a tally that replaces these receipts and tallies."""
    total: dict[str, Use] = {}
    # A receipt that is there twice counts once, as it does in a view.
    for change in {change.id: change for change in old}.values():
        for id, use in decode_uses(change.id, change.payload).items():
            total[id] = total[id] + use if id in total else use
    subject = f"receipt:{TALLY}"
    row, _ = lines.encode(
        id=max(change.id for change in old),
        device=device,
        actor="limpet",
        verb=ChangeKind.RECEIPT,
        subject=subject,
        root=subject,
        lineage=(),
        payload=encode_tally(total),
        previous="",
    )
    return row


def trim(home: str, device: str, before_id: str, *, if_older_than: str) -> int:
    """Add up the receipts of this device with ids below `before_id`; return the number of receipts.

    A segment is rewritten only if it holds a receipt with an id below `if_older_than`.
    """
    trimmed = 0
    for name, _, _ in list_segments(home):
        if not name.startswith(f"{device}/") or not is_receipts(name) or not _is_older(home, name, if_older_than):
            continue
        with segment_lock(home, name) as is_ours:
            # If somebody is writing to it, the next time will do.
            trimmed += _trim(home, name, device, before_id) if is_ours else 0
    return trimmed


def _is_older(home: str, name: str, if_older_than: str) -> bool:
    """Tell whether one of the first receipts of a segment has an id below `if_older_than`.

    Several receipts are read, because a clock may have been wrong.
    """
    looked_at = 0
    for _, row in read_rows(path_of(home, name)):
        try:
            change = lines.parse(row)[0]
        except BadLine:
            continue
        except StoreNewer:
            return False
        if not is_tally(change.payload) and change.id < if_older_than:
            return True
        looked_at += 1
        if looked_at >= _LOOKED_AT:
            return False
    return False


def _trim(home: str, name: str, device: str, before_id: str) -> int:
    """Rewrite one segment with a tally in place of its old receipts; return the number of receipts."""
    old: list[Change] = []
    kept: list[bytes] = []
    path = path_of(home, name)
    end = 0
    for start, row in read_rows(path):
        end = start + len(row) + 1
        try:
            change = lines.parse(row)[0]
        except BadLine:
            # A receipt is not synced, so a power cut may have torn it; it was never counted.
            continue
        except StoreNewer:
            return 0
        if change.kind == ChangeKind.RECEIPT and change.id < before_id:
            old.append(change)
        else:
            kept.append(row)
    if not old or end != os.path.getsize(path):
        # The last row lacks its newline and may yet be whole: the next writer adds the newline.
        return 0
    rows = (tally_row(old, device), *kept)
    system.write_atomically(path, b"".join(row + b"\n" for row in rows))
    return sum(not is_tally(change.payload) for change in old)
