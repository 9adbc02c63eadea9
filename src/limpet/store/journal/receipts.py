"""Receipts: what each says of the use of memories, and what many of them say together.

A tally stands in the place of the receipts it was made of, under the id of the last of them, in the same segment. An
index that reads it takes back what it had counted of that segment up to this id, so it does not matter how many of
the receipts it had seen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import ms_of
from limpet.store.journal import line as lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TALLY = "tally"
_MOST = 2**53
_LAST_MS = 253_402_300_799_000
"""The end of the year 9999, beyond which there are no dates."""


@record
class Use:
    """How often a memory was used and when last; the session is that of the latest receipt that names one."""

    count: int
    last: int
    session: str | None
    named: str

    def __add__(self, other: Use) -> Use:
        latest = max(self, other, key=lambda each: each.named)
        return Use(
            count=self.count + other.count,
            last=max(self.last, other.last),
            session=latest.session,
            named=latest.named,
        )


def is_tally(change: Change) -> bool:
    return change.payload.get("way") == TALLY


def uses(change: Change) -> dict[str, Use]:
    """What a receipt or tally says of each memory; nothing vouches for either, so what does not fit is passed over."""
    if is_tally(change):
        return _added_up(change.payload.get(TALLY))
    session = session_of(change)
    last = ms_of(change.id)
    if last >= _LAST_MS:
        return {}
    use = Use(
        count=1 if change.payload.get("counts", True) else 0,
        last=last,
        session=session,
        named=change.id if session else "",
    )
    ids = change.payload.get("ids", ())
    return {id: use for id in (ids if isinstance(ids, list | tuple) else ()) if isinstance(id, str)}


def session_of(change: Change) -> str | None:
    session = change.payload.get("session")
    return session if isinstance(session, str) else None


def _added_up(told: object) -> dict[str, Use]:
    found: dict[str, Use] = {}
    for id, value in (told if isinstance(told, dict) else {}).items():
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            count, last, session, named = value
            use = Use(count=int(count), last=int(last), session=str(session) if session else None, named=str(named))
            if 0 <= use.count < _MOST and 0 <= use.last < _LAST_MS:
                found[id] = use
    return found


def tally(old: Sequence[Change], device: str) -> bytes:
    """The row that stands for these receipts and tallies."""
    total: dict[str, Use] = {}
    # One that stands there twice counts once, as it does in an index.
    for change in {change.id: change for change in old}.values():
        for id, use in uses(change).items():
            total[id] = total[id] + use if id in total else use
    payload: dict[str, Any] = {
        "way": TALLY,
        TALLY: {id: [use.count, use.last, use.session, use.named] for id, use in total.items()},
    }
    subject = f"receipt:{TALLY}"
    row, _ = lines.encode(
        id=max(change.id for change in old),
        device=device,
        actor="limpet",
        verb=ChangeKind.RECEIPT,
        subject=subject,
        root=subject,
        lineage=(),
        payload=payload,
        previous="",
    )
    return row
