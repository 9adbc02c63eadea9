"""Measure how new a text is to the store."""

from __future__ import annotations

from datetime import datetime

from limpet.model.memory import Origin
from limpet.model.query import Query
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.embedding import load_table
from limpet.text.similarity import jaccard, simhash

_UNLIKE, _ALIKE = 0.6, 0.95
"""Cosines of texts on one subject, and of texts that say the same."""


def measure_novelty(text: str, *, reading: Reading, scope: Scope, now: datetime, typed: bool = False) -> float:
    """Return 1 for a text unlike everything in the store, 0 for one that is known.

    What the user `typed` is compared with their own words only: a web page that says the same must not keep the user's
    statement from being stored as theirs.
    """
    origin = Origin.USER if typed else None
    worded = 0.0
    for token in scope.tokens() or ():
        for stored in reading.near_duplicates(token, simhash(text), limit=3):
            if origin in (None, stored.memory.origin):
                worded = max(worded, jaccard(text, stored.memory.original_content))
    meant = 0.0
    code = load_table().encode(text) if reading.has_vectors else None
    if code is not None:
        nearest = reading.by_meaning(Query(scope=scope, now=now, origin=origin), code, limit=1)
        if nearest:
            meant = (nearest[0][1] - _UNLIKE) / (_ALIKE - _UNLIKE)
    return 1 - min(1.0, max(0.0, worded, meant))
