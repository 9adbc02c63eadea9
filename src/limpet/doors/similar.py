"""Find the memories of a scope that say nearly the same as a new one, the opposite, or what it replaces."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from limpet.doors.forbidden import is_fix
from limpet.lean.record import record
from limpet.model.memory import Memory, Origin, Sensitivity, Tier
from limpet.model.reach import SUMMARIES
from limpet.store.protocol import Reading
from limpet.text.contradiction import contradicts
from limpet.text.replacement import find_search_words, may_retract, replaces
from limpet.text.similarity import is_near, jaccard, simhash
from limpet.text.words import STOP, split_words

_STATEMENT = 600
"""A text of up to this many characters is one statement, which another statement may plainly contradict."""
_SAME_SUBJECT = 0.15
"""The share of common words from which two statements are compared at all."""


@record
class SimilarMemory:
    """A known memory that a new one nearly repeats, contradicts or replaces."""

    memory: Memory
    contradiction: str | None = None
    """Why it says the opposite; None if it does not."""
    replacement: str | None = None
    """How the new one replaces it; None if it does not, or may not."""

    @property
    def is_near(self) -> bool:
        """Tell whether it says nearly the same."""
        return self.contradiction is None and self.replacement is None


def find_similar(
    memory: Memory, token: str, *, reading: Reading, now: datetime, sees_private: bool = True
) -> list[SimilarMemory]:
    """Return the memories of the scope that are nearly the same as this one, contradict it, or are replaced by it.

    Without `sees_private`, only public memories are compared, so that the answer says nothing about the others.
    """
    # Older versions and sources say much the same, and are neither duplicates nor contradictions.
    lineage = set(memory.lineage)
    seen: dict[str, Memory] = {}
    fits = partial(_is_related, memory.content)
    for stored in reading.near_duplicates(token, simhash(memory.content), fits=fits):
        seen[stored.memory.id] = stored.memory
    if len(memory.content) <= _STATEMENT:
        words = dict.fromkeys((*find_keywords(memory.content), *find_search_words(memory.content)))
        for stored in reading.recent_with_words(token, words, each=5, fits=fits):
            seen.setdefault(stored.memory.id, stored.memory)
    found = []
    for other in seen.values():
        if other.id in lineage or other.is_expired(now) or not (sees_private or is_public(other)):
            continue
        how = replaces(memory.content, other.content) if may_replace(memory, other) else None
        if how is not None:
            may_hide = keeps_as_much(memory, other)
            found.append(
                SimilarMemory(memory=other, replacement=how)
                if may_hide
                else SimilarMemory(memory=other, contradiction=how)
            )
            continue
        if may_replace(memory, other) and may_retract(memory.content, other.content):
            found.append(SimilarMemory(memory=other, contradiction="says that a number of it was wrong"))
            continue
        if jaccard(memory.content, other.content) < _SAME_SUBJECT:
            continue
        reason = contradicts(memory.content, other.content)
        if reason is not None or is_near(memory.content, other.content):
            found.append(SimilarMemory(memory=other, contradiction=reason))
    return found


def _is_related(newer: str, older: str) -> bool:
    """Tell whether a text may replace or contradict an older text, or nearly repeats it.

    Most texts that share words with a new one do none of this, so this check comes before the memory is decoded.
    """
    if replaces(newer, older) is not None or may_retract(newer, older):
        return True
    if jaccard(newer, older) < _SAME_SUBJECT:
        return False
    return contradicts(newer, older) is not None or is_near(newer, older)


def find_replaced(memory: Memory, others: Iterable[Memory]) -> list[SimilarMemory]:
    """Return which of the given memories a new memory replaces."""
    allowed = (other for other in others if may_replace(memory, other) and keeps_as_much(memory, other))
    found = ((other, replaces(memory.content, other.content)) for other in allowed)
    return [SimilarMemory(memory=other, replacement=how) for other, how in found if how is not None]


def may_replace(memory: Memory, older: Memory) -> bool:
    """Tell whether a new memory may replace an older one, if its words say so.

    What was read from outside replaces nothing, nothing replaces what is trusted more or pinned, and a memory made of
    several others, such as a summary, neither replaces nor is replaced. Only the user's own words replace a memory that
    is not public, because a model cannot see it.
    """
    if not is_public(older) and memory.origin is not Origin.USER:
        return False
    if memory.effective_origin.is_outside or older.effective_origin.ceiling > memory.effective_origin.ceiling:
        return False
    if older.pinned or older.created_at > memory.created_at or is_fix(older) or is_fix(memory):
        return False
    return not (memory.made_of or older.made_of or {memory.type, older.type} & set(SUMMARIES))


def keeps_as_much(memory: Memory, older: Memory) -> bool:
    """Tell whether a new memory is kept, or the older one is a note too; a note never hides what is kept."""
    return memory.tier is Tier.KEPT or older.tier is Tier.NOTED


def is_public(memory: Memory) -> bool:
    """Tell whether everybody who sees the scope may see the memory."""
    return memory.sensitivity is Sensitivity.PUBLIC


def find_keywords(text: str) -> list[str]:
    """Return a few words for finding statements about the same subject: the longest words of the beginning."""
    candidates = dict.fromkeys(word for word in split_words(text[:400]) if len(word) > 2 and word not in STOP)
    return sorted(candidates, key=lambda word: (-len(word), word))[:4]


def outranks(memory: Memory, known: Memory) -> bool:
    """Tell whether the user now says what only others have said before; only the user's own words are fully trusted."""
    is_more = memory.origin is Origin.USER and known.effective_origin is not Origin.USER
    return is_more and keeps_as_much(memory, known)
