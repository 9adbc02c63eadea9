"""Find the memories of a scope that say nearly the same as a new one, or the opposite."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.record import record
from limpet.model.memory import Memory
from limpet.store.protocol import Reading
from limpet.text.contradiction import contradicts
from limpet.text.similarity import is_near, jaccard, simhash
from limpet.text.words import STOP, split_words

_STATEMENT = 600
"""A text of up to this many characters is one statement, which another statement may plainly contradict."""
_SAME_SUBJECT = 0.15
"""The share of common words from which two statements are compared at all."""


@record
class Similar:
    """A memory that says nearly the same, or the opposite for the reason in `contradiction`."""

    memory: Memory
    contradiction: str | None = None


def find_similar(memory: Memory, token: str, *, reading: Reading, now: datetime) -> list[Similar]:
    """Return the memories of the scope that are nearly the same as this one or contradict it."""
    # Older versions and sources say much the same, and are neither duplicates nor contradictions.
    lineage = set(memory.lineage)
    seen: dict[str, Memory] = {}
    for stored in reading.near_duplicates(token, simhash(memory.content)):
        seen[stored.memory.id] = stored.memory
    if len(memory.content) <= _STATEMENT:
        for stored in reading.recent_with_words(token, find_keywords(memory.content), each=5):
            seen.setdefault(stored.memory.id, stored.memory)
    found = []
    for other in seen.values():
        if other.id in lineage or other.is_expired(now):
            continue
        if jaccard(memory.content, other.content) < _SAME_SUBJECT:
            continue
        reason = contradicts(memory.content, other.content)
        if reason is not None or is_near(memory.content, other.content):
            found.append(Similar(memory=other, contradiction=reason))
    return found


def find_keywords(text: str) -> list[str]:
    """Return a few words for finding statements about the same subject: the longest words of the beginning."""
    candidates = dict.fromkeys(word for word in split_words(text[:400]) if len(word) > 2 and word not in STOP)
    return sorted(candidates, key=lambda word: (-len(word), word))[:4]
