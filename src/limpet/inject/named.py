"""Find the rules that a prompt needs, because it names what they are about."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from limpet.inject.recipient import Recipient
from limpet.inject.select import LEAST_ON_TRIAL, Judge, is_rule
from limpet.model.memory import Origin, Tier
from limpet.model.query import Hit, Query
from limpet.recall.coverage import hold_terms
from limpet.store.protocol import Reading
from limpet.text.handles import find_handles

_MOST = 2
_RARE = 12
"""If more memories than this hold a word, it does not tell which of them a prompt is about."""
_READ = 24


def find_named_rules(
    question: str, recipient: Recipient, *, reading: Reading, judge: Judge, shown: Collection[str], now: datetime
) -> list[Hit]:
    """Return the rules whose handles stand in a prompt and that this session was not told, at most two.

    A rule is kept, or is a note of the user's words that may be on trial.
    """
    handles = find_handles(question)
    query = Query(scope=recipient.scope, text=question, now=now)
    counts = reading.frequencies(query, handles)[1] if handles else []
    rare = [term for term, count in zip(handles, counts, strict=True) if 0 < count <= _RARE]
    if not rare:
        return []
    keys = [key for key, _ in reading.by_words(query, rare, limit=_READ)]
    found = []
    for stored in reading.by_keys(query, keys).values():
        memory = stored.memory
        if memory.id in shown or not is_rule(stored) or (recipient.session and memory.session == recipient.session):
            continue
        if memory.tier is Tier.NOTED and (memory.origin is not Origin.USER or memory.importance < LEAST_ON_TRIAL):
            continue
        held = sum(hold_terms(rare, memory))
        if held:
            found.append(Hit(stored=judge(stored), score=1.0, parts={"handles": float(held)}))
    found.sort(key=lambda hit: (-hit.parts["handles"], -hit.memory.importance, hit.memory.id))
    return found[:_MOST]
