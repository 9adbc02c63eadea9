"""Find the rules that a prompt needs, because it names what they are about.

A rule and a prompt that share a handle (`text/handles.py`) may still have little to do with each other. So a rule is
told if a sum of four measures is positive: the share of its handles that the prompt names, weighed by how rare they are
everywhere; how near the two texts are in meaning; how many other rules have the same handles; and whether the prompt
only asks how something is. The weights were fitted by `scripts/fit_named.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from math import log

from limpet.inject.recipient import Recipient
from limpet.inject.select import Judge, is_rule
from limpet.lean.record import replace
from limpet.model.memory import Memory, Origin, Tier
from limpet.model.query import Hit, Query, Stored
from limpet.recall.coverage import hold_terms
from limpet.store.protocol import Reading
from limpet.text.embedding import load_embedding_table
from limpet.text.handles import asks_for_state, find_handles, find_rivals, stem_handles
from limpet.text.lexicon import Term
from limpet.text.rarity import RAREST, weigh_stem, weigh_terms
from limpet.text.tables import read_table

TABLE = "inject/named.table"
BIAS = "bias"
"""The row of the table whose weight is added to every sum. The other rows are named after the measures."""
_MOST = 2
_RARE = 12
"""If more memories than this hold a word, it does not tell which of them a prompt is about."""
_READ = 24
_HELD = 0.5
"""The share of a handle in a script without spaces that a rule must hold."""
_READ_OF_RULE = 2_000
"""The number of characters of a rule in which handles are looked for."""
_LEAST = 2.0
"""What the handles of a prompt must weigh together: "fix the tests please" is about any rule that speaks of tests."""
_USUAL_COSINE = 0.25
"""The cosine of a rule that has no vector yet."""


def find_named_rules(
    question: str, recipient: Recipient, *, reading: Reading, judge: Judge, shown: Collection[str], now: datetime
) -> list[Hit]:
    """Return the rules whose handles stand in a prompt and that this session was not told, at most two.

    Only a kept rule is told: most notes that read like one are a request of their moment. The user's own words are also
    counted alone, so that no number of other memories can make a word of theirs common.
    """
    own = find_handles(question)
    if sum(weigh_terms(own)) < _LEAST:
        return []
    handles = [*own, *find_rivals(own)]
    query = Query(scope=recipient.scope, text=question, now=now)
    counts = reading.frequencies(query, handles, at_most=_RARE + 1)[1]
    rare = [term for term, count in zip(handles, counts, strict=True) if 0 < count <= _RARE]
    if not any(counts):
        return []
    read = _read(query, rare, reading)
    if len(rare) < len(handles):
        users = _read(replace(query, origin=Origin.USER), handles, reading)
        held_by = [hold_terms(handles, stored.memory) for stored in users.values()]
        rare = [term for at, term in enumerate(handles) if term in rare or sum(each[at] for each in held_by) <= _RARE]
        read |= users
    rules = {
        key: stored
        for key, stored in read.items()
        if stored.memory.id not in shown and _is_told_rule(stored, recipient) and any(hold_terms(rare, stored.memory))
    }
    measured = measure_rules(question, {key: stored.memory for key, stored in rules.items()}, rare, reading=reading)
    weights = _read_weights()
    scores = {
        key: weights[BIAS] + sum(weights[name] * value for name, value in measures.items())
        for key, measures in measured.items()
    }
    found = [
        Hit(stored=judge(rules[key]), score=1.0, parts={"named": points})
        for key, points in scores.items()
        if points > 0
    ]
    found.sort(key=lambda hit: (-hit.parts["named"], -hit.memory.importance, hit.memory.id))
    return found[:_MOST]


def _is_told_rule(stored: Stored, recipient: Recipient) -> bool:
    memory = stored.memory
    if not is_rule(stored) or (recipient.session and memory.session == recipient.session):
        return False
    return memory.tier is Tier.KEPT


def measure_rules(
    question: str, rules: Mapping[int, Memory], handles: Sequence[Term], *, reading: Reading
) -> dict[int, dict[str, float]]:
    """Return the measures of each rule that has one of the handles of a prompt, by index key."""
    weights = {
        term: min(weight, RAREST) if term.parts else weight
        for term, weight in zip(handles, weigh_terms(handles), strict=True)
    }
    shared: dict[int, dict[Term, float]] = {}
    shares: dict[int, float] = {}
    for key, memory in rules.items():
        stems = stem_handles("\n".join((memory.title, memory.content[:_READ_OF_RULE], *memory.tags)))
        text = f" {' '.join(stems)} "
        held = {term: share for term in handles if (share := term.share_in(text)) >= _HELD}
        if held:
            shared[key] = held
            whole = sum(map(weigh_stem, set(stems))) or 1.0
            shares[key] = min(1.0, sum(weights[term] * share for term, share in held.items()) / whole)
    code = load_embedding_table().encode(question) if shared else None
    near = reading.closeness(code, tuple(shared)) if code else {}
    asks = float(asks_for_state(question))
    return {
        key: {
            "share": shares[key],
            "cosine": near.get(key, _USUAL_COSINE),
            "others": log(min(sum(term in other for other in shared.values()) for term in held)),
            "asks": asks,
        }
        for key, held in shared.items()
    }


def _read(query: Query, terms: Sequence[Term], reading: Reading) -> dict[int, Stored]:
    return reading.by_keys(query, [key for key, _ in reading.by_words(query, terms, limit=_READ)])


@lru_cache(maxsize=1)
def _read_weights() -> dict[str, float]:
    return {row.name: row.weight for row in read_table(TABLE)}
