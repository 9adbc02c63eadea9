"""Adds up the receipts that are old, so that they do not pile up for ever."""

from __future__ import annotations

import contextlib

from limpet import system
from limpet.errors import StoreNewer
from limpet.model.change import Change, Verb
from limpet.store import journal, mend
from limpet.store import line as lines
from limpet.store.receipts import is_tally, tally
from limpet.store.records import parse


def trim(home: str, device: str, before: str, *, slack: str) -> int:
    """Add up the receipts of this device with ids below `before` where one is older than `slack`; how many those were.

    The slack is there so that a file is not written anew each day for the receipts of one.
    """
    trimmed = 0
    for name, _, _ in journal.segments(home):
        if not name.startswith(f"{device}/") or not journal.is_receipts(name) or not _has_older(home, name, slack):
            continue
        with mend.held(home, name) as is_held:
            # A writer is at it: the next time will do.
            trimmed += _trim(home, name, device, before) if is_held else 0
    return trimmed


def _has_older(home: str, name: str, slack: str) -> bool:
    for _, row in journal.read_rows(journal.path_of(home, name)):
        with contextlib.suppress(ValueError, StoreNewer):
            change = parse(row)[0]
            if not is_tally(change):
                return change.id < slack
    return False


def _trim(home: str, name: str, device: str, before: str) -> int:
    old: list[Change] = []
    kept: list[bytes] = []
    for _, row in journal.read_rows(journal.path_of(home, name)):
        try:
            change = parse(row)[0]
        except lines.BadLine:
            continue
        except StoreNewer:
            return 0
        if change.verb == Verb.RECEIPT and change.id < before:
            old.append(change)
        else:
            kept.append(row)
    if not old:
        return 0
    rows = (tally(old, device), *kept)
    system.write_atomically(journal.path_of(home, name), b"".join(row + b"\n" for row in rows))
    return sum(not is_tally(change) for change in old)
