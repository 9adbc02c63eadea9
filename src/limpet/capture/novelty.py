"""Compare a prompt or a report with what is known: how new it is, and whether the user repeats it in another session.

A noted memory that the user repeats becomes kept.
"""

from __future__ import annotations

from datetime import datetime

from limpet.doors.similar import find_keywords
from limpet.model.change import CAPTURE, Change, ChangeKind, change_memory
from limpet.model.memory import Memory, Origin, Tier
from limpet.model.query import Query
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.embedding import load_embedding_table
from limpet.text.similarity import jaccard, simhash

REPEATED = 0.4
"""The novelty below which a typed text is compared with earlier statements of the user."""
_SAME = 0.7
"""The share of common words from which a statement counts as a repetition of another."""
_EACH = 5


def find_repeated(text: str, session: str, scope: Scope, reading: Reading) -> dict[str, Memory]:
    """Return the noted memories of the user from other sessions that say the same as a text, by id."""
    found = {}
    for token in scope.tokens() or ():
        for stored in reading.recent_with_words(token, find_keywords(text), each=_EACH):
            memory = stored.memory
            if memory.tier is not Tier.NOTED or memory.origin is not Origin.USER or memory.session in (None, session):
                continue
            if jaccard(text, memory.original_content) >= _SAME:
                found[memory.id] = memory
    return found


def keep_change(memory: Memory) -> Change:
    """Return the change that keeps a memory because the user repeated it."""
    return change_memory(ChangeKind.KEEP, memory, {"earned": "said again in another session"}, actor=CAPTURE)


_UNLIKE, _ALIKE = 0.6, 0.95
"""Typical cosines of texts on the same subject, and of texts that say the same."""


def measure_novelty(text: str, *, reading: Reading, scope: Scope, now: datetime, typed: bool = False) -> float:
    """Return 1 for a text unlike everything in the store, 0 for a known text.

    A `typed` text is compared with the user's own words only: a web page that says the same must not prevent the user's
    statement from being stored as theirs.
    """
    origin = Origin.USER if typed else None
    worded, hashed = 0.0, simhash(text)
    for token in scope.tokens() or ():
        for stored in reading.near_duplicates(token, hashed, limit=3):
            if origin in (None, stored.memory.origin):
                worded = max(worded, jaccard(text, stored.memory.original_content))
    meant = 0.0
    code = load_embedding_table().encode(text) if reading.has_vectors else None
    if code is not None:
        nearest = reading.by_meaning(Query(scope=scope, now=now, origin=origin), code, limit=1)
        if nearest:
            meant = (nearest[0][1] - _UNLIKE) / (_ALIKE - _UNLIKE)
    return 1 - min(1.0, max(0.0, worded, meant))
