"""Replace old receipts with a tally, so that their number does not grow without limit.

A receipt is a journal record of memories that were shown; a tally has the sums of many receipts. A tally is in the same
segment as the receipts that it replaces, and has the id of the last of them. Before a view counts a tally, it subtracts
what it has already counted from that segment up to this id. So it does not matter how many of the receipts the view has
seen.
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
"""The number of extra days before receipts are replaced, so that a file is rewritten once a month and not daily."""


def make_tally_row(old: Sequence[Change], device: str) -> bytes:
    """Return the journal line of a tally that replaces these receipts and older tallies."""
    total: dict[str, Use] = {}
    # A receipt that occurs twice counts once, as in a view.
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
    """Replace this device's receipts whose ids are below `before_id` with tallies; return how many were replaced.

    A segment is rewritten only if it contains a receipt with an id below `if_older_than`.
    """
    trimmed = 0
    for name, _, _ in list_segments(home):
        if not name.startswith(f"{device}/") or not is_receipts(name) or not _has_older(home, name, if_older_than):
            continue
        with segment_lock(home, name) as is_ours:
            # A segment that is in use is left for the next time.
            trimmed += _trim_segment(home, name, device, before_id) if is_ours else 0
    return trimmed


def _has_older(home: str, name: str, if_older_than: str) -> bool:
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


def _trim_segment(home: str, name: str, device: str, before_id: str) -> int:
    """Rewrite one segment with a tally in place of its old receipts; return how many were replaced."""
    old: list[Change] = []
    kept: list[bytes] = []
    path = path_of(home, name)
    end = 0
    for start, row in read_rows(path):
        end = start + len(row) + 1
        try:
            change = lines.parse(row)[0]
        except BadLine:
            # Receipts are not synced to disk, so a power cut may have cut one short. It was never counted.
            continue
        except StoreNewer:
            return 0
        if change.kind == ChangeKind.RECEIPT and change.id < before_id:
            old.append(change)
        else:
            kept.append(row)
    if not old or end != os.path.getsize(path):
        # The last line lacks its newline, but may be complete: the next writer adds the newline.
        return 0
    rows = (make_tally_row(old, device), *kept)
    system.write_atomically(path, b"".join(row + b"\n" for row in rows))
    return sum(not is_tally(change.payload) for change in old)
