"""What was decided to bring up, and the receipt of it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from limpet.inject.candidate import Candidate
from limpet.lean.record import record
from limpet.model.receipt import UNASKED, Receipt
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading


@record
class Injection:
    text: str
    receipt: Receipt


def injection(
    text: str,
    given: Sequence[Candidate],
    *,
    way: str,
    session: str | None,
    tokens: int,
    left_out: int = 0,
    held_back: Sequence[Candidate] = (),
) -> Injection:
    receipt = Receipt(
        id="",
        way=way,
        ids=tuple(each.stored.memory.id for each in given),
        session=session,
        tokens=tokens,
        parts={each.stored.memory.id: _rounded(each) for each in given if each.parts},
        notes={each.stored.memory.id: each.note for each in given if each.note},
        left_out=left_out,
        held_back=tuple(each.stored.memory.id for each in held_back),
    )
    return Injection(text=text, receipt=receipt)


def _rounded(candidate: Candidate) -> dict[str, float]:
    return {name: round(value, 3) for name, value in candidate.parts.items()}


def shown_in(reading: Reading, session: str | None) -> tuple[frozenset[str], int]:
    """What a session has been shown unasked, and the tokens that went beside its prompts."""
    if session is None:
        return frozenset(), 0
    receipts = [each for each in reading.receipts(session=session, limit=500) if each.way in UNASKED]
    ids = frozenset(id for receipt in receipts for id in (*receipt.ids, *receipt.held_back))
    return ids, sum(receipt.tokens for receipt in receipts if receipt.way in ("prompt", "fix"))


def held(candidates: Sequence[Candidate], settings: InjectSettings) -> tuple[list[Candidate], list[Candidate]]:
    """Those to give and, while measuring, a small random share to hold back."""
    if not settings.measure:
        return list(candidates), []
    given: list[Candidate] = []
    kept: list[Candidate] = []
    for each in candidates:
        chance = int.from_bytes(os.urandom(4), "big") / 2**32
        (kept if chance < settings.held_share else given).append(each)
    return given, kept
