"""Measure how new a text is compared with the store, and find statements that the user repeats.

If the user repeats a noted memory in another session, the memory becomes kept.
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
"""If a user's text has a lower novelty than this, it is compared with the user's earlier statements."""
_SAME = 0.7
"""The minimum word overlap (Jaccard index) of two statements that count as the same."""
_EACH = 5


def find_repeated(text: str, session: str, scope: Scope, reading: Reading) -> dict[str, Memory]:
    """Return the user's noted memories from sessions other than `session` that say the same as `text`, by memory id."""
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
    """Return the change that turns a noted memory into a kept one because the user said the same again."""
    return change_memory(ChangeKind.KEEP, memory, {"earned": "said again in another session"}, actor=CAPTURE)


_UNLIKE, _ALIKE = 0.6, 0.95
"""The typical cosine similarity of two texts on the same subject, and of two texts that say the same thing."""


def measure_novelty(text: str, *, reading: Reading, scope: Scope, now: datetime, typed: bool = False) -> float:
    """Return how new a text is: 1 if nothing similar is stored, 0 if a text that says the same is stored.

    If `typed` is true, the text is compared only with the user's own statements. Otherwise a stored web page with the
    same content would prevent the user's statement from being stored as theirs.
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
