"""Find the stored memories that a new one repeats, contradicts or replaces."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from limpet.doors.forbidden import is_fix
from limpet.lean.record import record
from limpet.model.change import ChangeKind, Status
from limpet.model.fold import fold_memories
from limpet.model.memory import Memory, Origin, Phase, Sensitivity, Tier
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.replacement import contradicts, find_search_words, replaces
from limpet.text.retraction import may_retract
from limpet.text.similarity import is_near, jaccard, simhash
from limpet.text.words import STOP, split_words

_STATEMENT = 600
"""The maximum length, in characters, of a text that counts as a single statement, which others may contradict."""
_SAME_SUBJECT = 0.15
"""The minimum share of common words in two statements on the same subject."""


@record
class SimilarMemory:
    """A stored memory that a new memory nearly repeats, contradicts or replaces."""

    memory: Memory
    contradiction: str | None = None
    """How the new memory contradicts this one; None if it does not."""
    replacement: str | None = None
    """How the new memory replaces this one; None if it does not or must not replace it."""

    @property
    def is_near(self) -> bool:
        """Tell whether the new memory only says nearly the same."""
        return self.contradiction is None and self.replacement is None


def find_same(memory: Memory, token: str, *, reading: Reading, now: datetime, sees_private: bool) -> Memory | None:
    """Return the live memory of a scope, named by `token`, that has the same text as a new memory."""
    for stored in reading.same_text(token, memory.content_hash):
        known = stored.memory
        # An archived memory is only found on request, so the same text is stored again.
        if stored.status is not Status.LIVE or known.phase is Phase.ARCHIVED or known.is_expired(now):
            continue
        if sees_private or is_public(known):
            return known
    return None


def explain_forgotten(memory: Memory, project: str | None, *, reading: Reading, sees_private: bool) -> str:
    """Return why the text of a new memory may not be stored again, or an empty string if it may.

    It may not if it was forgotten or dropped or, if it is the user's text, if a person has dropped it.
    """
    scope = Scope(agent=memory.agent, project=project, app=memory.app)
    same = (each for token in scope.tokens() or () for each in reading.same_text(token, memory.content_hash))
    for stored in same:
        if stored.status is not Status.FORGOTTEN:
            continue
        history = reading.history(stored.memory.id)
        is_dropped = any(each.is_dropped for each in fold_memories(history))
        is_decided = any(change.kind == ChangeKind.DROP and "proof" in change.payload for change in history)
        if memory.origin is not Origin.USER or (is_dropped and is_decided):
            done = "dropped" if is_dropped else "forgotten"
            way = f": limpet restore {stored.memory.id}" if sees_private or is_public(stored.memory) else ""
            return f"this was {done} and only the user can bring it back{way}"
    return ""


def find_similar(
    memory: Memory, token: str, *, reading: Reading, now: datetime, sees_private: bool = True
) -> list[SimilarMemory]:
    """Return the memories of a scope, named by `token`, that a new memory nearly repeats, contradicts or replaces.

    If `sees_private` is false, only public memories are returned.
    """
    # Older versions and sources of the memory say nearly the same, but are neither duplicates nor contradictions.
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
    """Tell whether a text replaces, contradicts or nearly repeats an older text.

    The store calls this function before it decodes a memory, because most memories with common words are not related.
    """
    if replaces(newer, older) is not None or may_retract(newer, older):
        return True
    if jaccard(newer, older) < _SAME_SUBJECT:
        return False
    return contradicts(newer, older) is not None or is_near(newer, older)


def find_replaced(memory: Memory, others: Iterable[Memory]) -> list[SimilarMemory]:
    """Return those memories in `others` that a new memory replaces."""
    allowed = (other for other in others if may_replace(memory, other) and keeps_as_much(memory, other))
    found = ((other, replaces(memory.content, other.content)) for other in allowed)
    return [SimilarMemory(memory=other, replacement=how) for other, how in found if how is not None]


def may_replace(memory: Memory, older: Memory) -> bool:
    """Tell whether a new memory is allowed to replace an older one, if its text does so.

    A memory from outside is not allowed to, and neither is one with a less trusted origin than the older memory. The
    older memory must not be pinned, and neither memory may be a summary or a fix. Only the user's words replace a
    memory that is not public, because a model cannot see it.
    """
    if not is_public(older) and memory.origin is not Origin.USER:
        return False
    if memory.effective_origin.is_outside or older.effective_origin.ceiling > memory.effective_origin.ceiling:
        return False
    if older.pinned or older.created_at > memory.created_at or is_fix(older) or is_fix(memory):
        return False
    return not (memory.made_of or older.made_of or {memory.type, older.type} & set(SUMMARIES))


def keeps_as_much(memory: Memory, older: Memory) -> bool:
    """Tell whether a new memory has at least the tier of an older one. A note must not hide a kept memory."""
    return memory.tier is Tier.KEPT or older.tier is Tier.NOTED


def is_public(memory: Memory) -> bool:
    """Tell whether the sensitivity of a memory is public, so that a model may see it."""
    return memory.sensitivity is Sensitivity.PUBLIC


def find_keywords(text: str) -> list[str]:
    """Return the longest words at the beginning of a text, for finding memories on the same subject."""
    candidates = dict.fromkeys(word for word in split_words(text[:400]) if len(word) > 2 and word not in STOP)
    return sorted(candidates, key=lambda word: (-len(word), word))[:4]


def outranks(memory: Memory, known: Memory) -> bool:
    """Tell whether a memory replaces a stored one that says the same.

    It does if it has the user's words and the stored one does not, and it has at least the same tier.
    """
    is_more = memory.origin is Origin.USER and known.effective_origin is not Origin.USER
    return is_more and keeps_as_much(memory, known)
