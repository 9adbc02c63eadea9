"""Recognise statements that the user repeats in another session: a noted memory then becomes kept."""

from __future__ import annotations

from limpet.doors.similar import find_keywords
from limpet.model.change import CAPTURE, Change, ChangeKind, change_memory
from limpet.model.memory import Memory, Origin, Tier
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.similarity import jaccard

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
