"""Create the receipt of an injection, the record of what was shown to a model, and read what was shown before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from limpet.inject.select import SelectedMemory
from limpet.lean.record import record
from limpet.model.memory import Memory
from limpet.model.receipt import NUDGE, UNASKED, Receipt
from limpet.store.protocol import Reading

_AT_ONCE = timedelta(seconds=3)
"""How far a receipt may be from the time of the prompt that it belongs to."""


@record
class Injection:
    """Text for a host's model, and its receipt, which the caller has to write to the journal."""

    text: str
    receipt: Receipt | None
    """None if the model is given nothing, and only the person is shown the notice."""
    notice: str = ""
    """A line for the person, which the model is not given."""


def make_injection(
    text: str,
    given: Sequence[SelectedMemory],
    *,
    way: str,
    session: str | None,
    tokens: int,
    left_out: int = 0,
    held_back: Sequence[SelectedMemory] = (),
    notice: str = "",
) -> Injection:
    """Create the receipt for a text that contains the memories `given`, and return both.

    `left_out` is the number of memories for which there was no room. `held_back` are memories that are deliberately not
    shown, to measure the effect of showing memories.
    """
    receipt = Receipt(
        id="",
        way=way,
        ids=tuple(each.stored.memory.id for each in given),
        session=session,
        tokens=tokens,
        parts={each.stored.memory.id: _round_parts(each) for each in given if each.parts},
        notes={each.stored.memory.id: each.note for each in given if each.note},
        left_out=left_out,
        held_back=tuple(each.stored.memory.id for each in held_back),
    )
    return Injection(text=text, receipt=receipt, notice=notice)


def _round_parts(item: SelectedMemory) -> dict[str, float]:
    return {name: round(value, 3) for name, value in item.parts.items()}


def find_shown(reading: Reading, session: str | None) -> tuple[frozenset[str], int]:
    """Return the ids of the memories shown in a session, and the number of tokens shown with prompts and errors.

    The ids include those of memories that were held back.
    """
    if session is None:
        return frozenset(), 0
    receipts = [each for each in reading.receipts(session=session, limit=500) if each.way in UNASKED]
    ids = frozenset(id for receipt in receipts for id in (*receipt.ids, *receipt.held_back))
    return ids, sum(receipt.tokens for receipt in receipts if receipt.way in ("prompt", "fix"))


def was_asked(note: Memory, reading: Reading) -> bool:
    """Tell whether the model was asked, beside the prompt that a note was made from, to store what lasts."""
    earlier = reading.receipts(session=note.session, limit=500) if note.session else ()
    return any(each.way == NUDGE and abs(each.at - note.created_at) <= _AT_ONCE for each in earlier)
