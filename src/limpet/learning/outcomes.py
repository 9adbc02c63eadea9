"""Determine what came of memories that were shown to a model.

A memory was used, contradicted or ignored, or its error recurred.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.model.memory import Memory
from limpet.model.receipt import UNASKED, InjectionOutcome
from limpet.store.protocol import Reading
from limpet.text.lexicon import parse_terms, stem_text
from limpet.text.replacement import contradicts

_FEWEST_TERMS = 2
_SHARE_OF_TERMS = 0.34
"""The share of a memory's terms that the agent must repeat for the memory to count as used."""


def find_outcomes(reading: Reading, session: str, *, said: str, failed: Sequence[str], ended: bool) -> dict[str, str]:
    """Return the new outcomes of the memories that were shown in a session, by memory id.

    `said` is what the agent has said since the last call, and `failed` contains an error tag for each failure in the
    session. A memory gets the outcome `ignored` only if the session has ended.
    """
    receipts = reading.receipts(session=session, limit=200)
    known = {name: outcome for receipt in reversed(receipts) for name, outcome in receipt.outcomes.items()}
    found: dict[str, str] = {}
    text = stem_text(said) if said.strip() else ""
    for receipt in receipts:
        if receipt.way not in UNASKED:
            continue
        for name in receipt.ids:
            if name in found or known.get(name) in (
                InjectionOutcome.USED,
                InjectionOutcome.CONTRADICTED,
                InjectionOutcome.MET_AGAIN,
            ):
                continue
            stored = reading.get(name)
            outcome = _find_outcome(stored.memory, said, text, failed, is_fix=receipt.way == "fix") if stored else None
            if outcome is not None:
                found[name] = outcome.value
            elif ended and name not in known:
                found[name] = InjectionOutcome.IGNORED.value
    return found


def _find_outcome(
    memory: Memory, said: str, text: str, failed: Sequence[str], *, is_fix: bool
) -> InjectionOutcome | None:
    # A fix is shown when its error first occurs in a session.
    if is_fix and any(failed.count(tag) > 1 for tag in memory.tags):
        return InjectionOutcome.MET_AGAIN
    if not text:
        return None
    if contradicts(said[:4000], memory.content):
        return InjectionOutcome.CONTRADICTED
    asked = parse_terms(f"{memory.title} {memory.content}"[:600], even_common=False)
    held = sum(term.share_in(text) for term in asked)
    return InjectionOutcome.USED if held >= max(_FEWEST_TERMS, _SHARE_OF_TERMS * len(asked)) else None
