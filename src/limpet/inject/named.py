"""Find the rules that a prompt needs, because it names what they are about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from limpet.inject.recipient import Recipient
from limpet.inject.select import LEAST_ON_TRIAL, Judge, is_rule
from limpet.lean.record import replace
from limpet.model.memory import Origin, Tier
from limpet.model.query import Hit, Query, Stored
from limpet.recall.coverage import hold_terms
from limpet.store.protocol import Reading
from limpet.text.handles import find_handles
from limpet.text.lexicon import Term

_MOST = 2
_RARE = 12
"""If more memories than this hold a word, it does not tell which of them a prompt is about."""
_READ = 24


def find_named_rules(
    question: str, recipient: Recipient, *, reading: Reading, judge: Judge, shown: Collection[str], now: datetime
) -> list[Hit]:
    """Return the rules whose handles stand in a prompt and that this session was not told, at most two.

    A rule is kept, or is a note of the user's words that may be on trial. The user's own words are also counted alone,
    so that no number of other memories can make a word of theirs common.
    """
    handles = find_handles(question)
    query = Query(scope=recipient.scope, text=question, now=now)
    counts = reading.frequencies(query, handles)[1] if handles else []
    rare = [term for term, count in zip(handles, counts, strict=True) if 0 < count <= _RARE]
    if not any(counts):
        return []
    read = _read(query, rare, reading)
    if len(rare) < len(handles):
        own = _read(replace(query, origin=Origin.USER), handles, reading)
        held_by = [hold_terms(handles, stored.memory) for stored in own.values()]
        rare = [term for at, term in enumerate(handles) if term in rare or sum(each[at] for each in held_by) <= _RARE]
        read |= own
    found = []
    for stored in read.values():
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


def _read(query: Query, terms: Sequence[Term], reading: Reading) -> dict[int, Stored]:
    return reading.by_keys(query, [key for key, _ in reading.by_words(query, terms, limit=_READ)])
