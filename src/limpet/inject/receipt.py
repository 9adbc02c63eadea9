"""Make the receipt of an injection, and read from earlier receipts what a session has been shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limpet.inject.select import SelectedMemory
from limpet.lean.record import record
from limpet.model.receipt import UNASKED, Receipt
from limpet.store.protocol import Reading


@record
class Injection:
    """A text for the host's model, and its receipt, which is still to be recorded."""

    text: str
    receipt: Receipt


def make_injection(
    text: str,
    given: Sequence[SelectedMemory],
    *,
    way: str,
    session: str | None,
    tokens: int,
    left_out: int = 0,
    held_back: Sequence[SelectedMemory] = (),
    remarks: Mapping[str, str] | None = None,
) -> Injection:
    """Return the text with its receipt: the memories with their scores and notes, and how many were left out.

    `remarks` are added to the notes of the receipt; they belong to no single memory.
    """
    receipt = Receipt(
        id="",
        way=way,
        ids=tuple(each.stored.memory.id for each in given),
        session=session,
        tokens=tokens,
        parts={each.stored.memory.id: _round_parts(each) for each in given if each.parts},
        notes={**{each.stored.memory.id: each.note for each in given if each.note}, **(remarks or {})},
        left_out=left_out,
        held_back=tuple(each.stored.memory.id for each in held_back),
    )
    return Injection(text=text, receipt=receipt)


def _round_parts(item: SelectedMemory) -> dict[str, float]:
    return {name: round(value, 3) for name, value in item.parts.items()}


def shown_in(reading: Reading, session: str | None) -> tuple[frozenset[str], int]:
    """Return the ids of memories that were injected into a session, and the tokens spent with its prompts."""
    if session is None:
        return frozenset(), 0
    receipts = [each for each in reading.receipts(session=session, limit=500) if each.way in UNASKED]
    ids = frozenset(id for receipt in receipts for id in (*receipt.ids, *receipt.held_back))
    return ids, sum(receipt.tokens for receipt in receipts if receipt.way in ("prompt", "fix"))
