"""Find the stored memories that a new one repeats, contradicts or replaces, and those on the same subject.

The nearest in meaning are looked at, and what a text names as given up is looked up by its words. Where the words of
two texts do not show that one replaces the other, the caller decides, who understands both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

from limpet.doors.forbidden import is_fix
from limpet.lean.record import record
from limpet.model.change import ChangeKind, Status
from limpet.model.fold import fold_memories
from limpet.model.memory import Memory, Origin, Phase, Sensitivity, Tier
from limpet.model.query import OPEN, Query
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Scope, token_of
from limpet.store.protocol import Reading
from limpet.text.replacement import contradicts, find_search_words, replaces
from limpet.text.retraction import may_retract
from limpet.text.similarity import is_near, jaccard, simhash
from limpet.text.vocabulary import names_rival

_STATEMENT = 600
"""The maximum length, in characters, of a text that counts as a single statement, which others may contradict."""
_SAME_SUBJECT = 0.15
"""The minimum share of common words in two statements on the same subject."""
_NEAREST = 6
"""How many of the nearest memories are compared."""
_RELATED, _RIVALS = 0.32, 0.25
"""The least similarity to a memory on the same subject, and to one that names another tool of the same kind."""
_ASKED = 0.15
"""The least similarity to a memory about which an agent is asked: its model tells at once which one is meant."""
_AHEAD = 0.12
"""How much nearer it is than the fourth nearest memory. In a large store, some memory is near to any text."""
MOST_OLDER = 3
"""The most older memories that a caller is asked about."""


@record
class SimilarMemory:
    """A stored memory that a new memory nearly repeats, contradicts or replaces, or that is on the same subject."""

    memory: Memory
    contradiction: str | None = None
    """How the new memory contradicts this one; None if it does not."""
    replacement: str | None = None
    """How the new memory replaces this one; None if it does not or must not replace it."""
    is_near: bool = False
    """Whether the new memory only says nearly the same."""


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

    The memories on the same subject follow, nearest first. If `sees_private` is false, only public memories are
    returned.
    """
    # Older versions and sources of the memory say nearly the same, but are neither duplicates nor contradictions.
    lineage = {memory.id, *memory.lineage}
    fits = partial(_is_related, memory.content)
    nearest = _find_nearest(memory, reading=reading, now=now, sees_private=sees_private)
    related = [
        (other, cosine)
        for other, cosine in nearest
        if cosine >= _RELATED or (cosine >= _RIVALS and names_rival(memory.content, other.content))
    ]
    words = find_search_words(memory.content)
    others = reading.recent_with_words(token, words, each=5, fits=fits) if words else ()
    if not reading.has_vectors:
        others = (*others, *reading.near_duplicates(token, simhash(memory.content), fits=fits))
    compared = {other.id: other for other, _ in related} | {stored.memory.id: stored.memory for stored in others}
    asked = _choose_asked(memory, nearest if memory.origin is Origin.AGENT else related)
    found = []
    for other in (compared | asked).values():
        if other.id in lineage or other.is_expired(now) or not (sees_private or is_public(other)):
            continue
        if token_of(other) != token:
            continue
        similar = _compare(memory, other) if other.id in compared else None
        if similar is not None or other.id in asked:
            found.append(similar or SimilarMemory(memory=other))
    return found


def _choose_asked(memory: Memory, nearest: Sequence[tuple[Memory, float]]) -> dict[str, Memory]:
    """Return the kept memories about which whoever stores a memory is asked, by id, nearest first.

    A person is asked only about what stands out; a model tells at once which one is meant, if any.
    """
    stands_out = nearest[MOST_OLDER][1] + _AHEAD if len(nearest) > MOST_OLDER else 0.0
    least = _ASKED if memory.origin is Origin.AGENT else stands_out
    first = nearest[:MOST_OLDER]
    return {other.id: other for other, cosine in first if cosine >= least and other.tier is Tier.KEPT}


def choose_older(similar: Sequence[SimilarMemory]) -> tuple[Memory, ...]:
    """Return the kept memories of which the caller must decide whether the new memory replaces them.

    If it is certain that the new memory replaces one, nothing is left to decide.
    """
    if any(each.replacement for each in similar):
        return ()
    ordered = (each.memory for each in sorted(similar, key=lambda each: each.contradiction is None))
    return tuple(each for each in ordered if each.tier is Tier.KEPT and not _is_account(each))[:MOST_OLDER]


def _find_nearest(memory: Memory, *, reading: Reading, now: datetime, sees_private: bool) -> list[tuple[Memory, float]]:
    """Return the memories of the same owner that are nearest in meaning, and their similarity."""
    from limpet.text.embedding import load_embedding_table

    code = load_embedding_table().encode(f"{memory.content}\n{memory.cues}") if reading.has_vectors else None
    if not code:
        return []
    least = _ASKED if memory.origin is Origin.AGENT else _RIVALS
    query = Query(
        scope=Scope(agent=memory.agent, project=memory.project, app=memory.app),
        sensitivity=(*OPEN, Sensitivity.PRIVATE) if sees_private else OPEN,
        now=now,
    )
    near = {key: cosine for key, cosine in reading.by_meaning(query, code, limit=_NEAREST) if cosine >= least}
    stored = reading.by_keys(query, tuple(near)) if near else {}
    # A note that is kept is compared too, and is stored already.
    found = ((stored[key].memory, cosine) for key, cosine in near.items() if key in stored)
    return [(other, cosine) for other, cosine in found if other.id != memory.id]


def _compare(memory: Memory, other: Memory) -> SimilarMemory | None:
    """Return how a new memory replaces, contradicts or nearly repeats another one, or None if it does not."""
    if len(memory.content) > _STATEMENT:
        return SimilarMemory(memory=other, is_near=True) if is_near(memory.content, other.content) else None
    how = replaces(memory.content, other.content) if may_replace(memory, other) else None
    if how is not None:
        if keeps_as_much(memory, other):
            return SimilarMemory(memory=other, replacement=how)
        return SimilarMemory(memory=other, contradiction=how)
    if may_replace(memory, other) and may_retract(memory.content, other.content):
        return SimilarMemory(memory=other, contradiction="says that a number of it was wrong")
    if jaccard(memory.content, other.content) < _SAME_SUBJECT:
        return None
    reason = contradicts(memory.content, other.content)
    if reason is None and not is_near(memory.content, other.content):
        return None
    return SimilarMemory(memory=other, contradiction=reason, is_near=reason is None)


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
    return not (_is_account(memory) or _is_account(older))


def _is_account(memory: Memory) -> bool:
    """Tell whether a memory only sums up others or a session."""
    return bool(memory.made_of) or memory.type in SUMMARIES


def keeps_as_much(memory: Memory, older: Memory) -> bool:
    """Tell whether a new memory has at least the tier of an older one. A note must not hide a kept memory."""
    return memory.tier is Tier.KEPT or older.tier is Tier.NOTED


def is_public(memory: Memory) -> bool:
    """Tell whether the sensitivity of a memory is public, so that a model may see it."""
    return memory.sensitivity is Sensitivity.PUBLIC


def outranks(memory: Memory, known: Memory) -> bool:
    """Tell whether a memory replaces a stored one that says the same.

    It does if it has the user's words and the stored one does not, and it has at least the same tier.
    """
    is_more = memory.origin is Origin.USER and known.effective_origin is not Origin.USER
    return is_more and keeps_as_much(memory, known)
