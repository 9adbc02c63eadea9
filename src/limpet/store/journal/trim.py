"""Adds up the receipts that are old, so that they do not pile up for ever."""

from __future__ import annotations

import os

from limpet import system
from limpet.errors import BadLine, StoreNewer
from limpet.model.change import Change, ChangeKind
from limpet.model.receipt import is_tally
from limpet.store.journal import files as journal
from limpet.store.journal import mend
from limpet.store.journal.receipts import tally_row
from limpet.store.journal.records import parse

_LOOKED_AT = 100
SLACK_DAYS = 30
"""How much longer than asked for the oldest receipt is kept: a file is written anew once a month, not every day."""


def trim(home: str, device: str, before_id: str, *, if_older_than: str) -> int:
    """Add up the receipts of this device with ids below `before_id`, in each segment that holds one with an id below
    `if_older_than`. Answers how many receipts were added up.
    """
    trimmed = 0
    for name, _, _ in journal.segments(home):
        if (
            not name.startswith(f"{device}/")
            or not journal.is_receipts(name)
            or not _is_older(home, name, if_older_than)
        ):
            continue
        with mend.held(home, name) as is_held:
            # A writer is at it: the next time will do.
            trimmed += _trim(home, name, device, before_id) if is_held else 0
    return trimmed


def _is_older(home: str, name: str, if_older_than: str) -> bool:
    """Whether one of the first receipts is: the clock may have been wrong for some of them."""
    looked_at = 0
    for _, row in journal.read_rows(journal.path_of(home, name)):
        try:
            change = parse(row)[0]
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
    old: list[Change] = []
    kept: list[bytes] = []
    path = journal.path_of(home, name)
    end = 0
    for start, row in journal.read_rows(path):
        end = start + len(row) + 1
        try:
            change = parse(row)[0]
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
        # What lacks nothing but its newline may yet be whole; whoever writes next adds that.
        return 0
    rows = (tally_row(old, device), *kept)
    system.write_atomically(path, b"".join(row + b"\n" for row in rows))
    return sum(not is_tally(change.payload) for change in old)
