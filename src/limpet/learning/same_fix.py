"""Recognise drafts that describe the same fix, so that only one memory is made from them.

A fix can be described in three ways: by a failed command that passes after an edit (a pair), by the agent's report, and
by a commit. The memory is made from the pair, because it can be shown if the error recurs. If a report gives the
reason, the reason is added. A commit, or a report without a reason, adds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from limpet.capture.boundaries import rank_keywords
from limpet.capture.tools.changes import find_clues, names_clue
from limpet.doors.forbidden import is_fix
from limpet.lean.record import pick, replace
from limpet.model.memory import Concept, Draft, Memory, Type
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.excerpt import shorten_line

_NEAR, _AT_ONCE = timedelta(hours=1), timedelta(minutes=15)
_MOST_RESULTS = 200
_LONGEST_REASON = 400
_WHY = "\nWhy: "
_EXPLAINS = frozenset({Concept.WHY_IT_EXISTS, Concept.HOW_IT_WORKS, Concept.GOTCHA})
_SHARED_NAMES, _SHARED_WORDS = 2, 3


def merge_fixes(drafts: Sequence[tuple[Draft, datetime]]) -> list[tuple[Draft, datetime]]:
    """Return the drafts in the same order, with those that describe the same fix merged into one."""
    merged: list[tuple[Draft, datetime]] = []
    for draft, at in drafts:
        for number, (older, then) in enumerate(merged):
            if _is_same(older, draft, abs(at - then)):
                pair, other = (draft, older) if _is_pair(draft) else (older, draft)
                merged[number] = (_complete(pair, other), then)
                break
        else:
            merged.append((draft, at))
    return merged


def find_stored_fix(draft: Draft, at: datetime, *, scope: Scope, session: str, reading: Reading) -> Stored | None:
    """Return the session's stored memory that describes the same fix as a draft, or None if there is none.

    Return None for a draft made from a pair too, because such a draft is always stored.
    """
    if draft.type is not Type.BUGFIX or _is_pair(draft):
        return None
    query = Query(scope=scope, session=session, now=at, limit=_MOST_RESULTS)
    for stored in reading.browse(query).items:
        memory = stored.memory
        if memory.type is Type.BUGFIX and _is_same(_to_draft(memory), draft, abs(at - memory.created_at)):
            return stored
    return None


def complete_stored_fix(memory: Memory, draft: Draft) -> Draft | None:
    """Return a draft that adds the reason given in `draft` to a stored fix, or None if there is nothing to add."""
    if not is_fix(memory) or _WHY in memory.content or not _explains(draft):
        return None
    completed = _complete(_to_draft(memory), draft)
    return replace(completed, session=draft.session, source=draft.source, tier=memory.tier, earned=memory.earned)


def _to_draft(memory: Memory) -> Draft:
    names = ("type", "title", "subtitle", "tags", "concepts", "origin", "files_modified")
    return Draft(text=memory.content, **pick(memory, *names))


def _is_pair(draft: Draft) -> bool:
    return any(tag.startswith("error:") for tag in draft.tags or ())


def _explains(draft: Draft) -> bool:
    return bool(_EXPLAINS.intersection(draft.concepts or ()))


def _complete(pair: Draft, other: Draft) -> Draft:
    """Return `pair` with the reason and the files from `other` added."""
    adds = _explains(other) and _WHY not in pair.text
    text = f"{pair.text}{_WHY}{shorten_line(other.text, _LONGEST_REASON)}" if adds else pair.text
    files = tuple(dict.fromkeys((*pair.files_modified, *other.files_modified)))
    return replace(pair, text=text, files_modified=files)


def _is_same(one: Draft, other: Draft, apart: timedelta) -> bool:
    """Tell whether two drafts from about the same time describe the same fix, because they share names from the code.

    Within a few minutes, one shared name is enough. Later, or if only file names are shared, they must have more in
    common.
    """
    if not (one.type is other.type is Type.BUGFIX) or one.origin is not other.origin or apart > _NEAR:
        return False
    if _is_pair(one) and _is_pair(other):
        return False
    first, second = (one, other) if _is_pair(one) or not _is_pair(other) else (other, one)
    shared = [clue for clue in find_clues(first.text, first.text) if names_clue(second.text, (clue,))]
    if len(shared) >= _SHARED_NAMES or (apart <= _AT_ONCE and any("." not in clue for clue in shared)):
        return True
    words = set(rank_keywords(first.text, 24)) & set(rank_keywords(second.text, 24))
    return bool(shared) and len(words) >= _SHARED_WORDS
