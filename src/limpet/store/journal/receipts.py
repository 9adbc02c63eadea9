"""Write the tally that takes the place of old receipts.

A tally has the id of the last receipt it was made of and stands in the same segment. A view that reads it takes back
what it had counted of that segment up to this id, so it does not matter how many of the receipts it had seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.model.change import Change, ChangeKind
from limpet.model.receipt import TALLY, Use, decode_uses, encode_tally
from limpet.store.journal import line as lines


def tally_row(old: Sequence[Change], device: str) -> bytes:
    """Return the row that stands for these receipts and tallies."""
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
