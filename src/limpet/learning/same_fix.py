"""Recognise that a failure with its fix, a report and a commit describe the same fix: one memory is kept of it.

The pair of failure and fix leads, because it is told when the error occurs again. A report that gives the reason
completes it; a commit, or a report without a reason, adds nothing that the pair does not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from limpet.capture.boundaries import rank_keywords
from limpet.capture.tools.changes import find_clues, names_clue
from limpet.doors.forbidden import is_fix
from limpet.lean.record import replace
from limpet.model.memory import Concept, Draft, Memory, Type
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.excerpt import shorten_line

__all__ = ["complete_stored_fix", "find_stored_fix", "merge_fixes"]

_NEAR, _AT_ONCE = timedelta(hours=1), timedelta(minutes=15)
_MEMBERS = 200
_LONGEST_REASON = 400
_WHY = "\nWhy: "
_EXPLAINS = frozenset({Concept.WHY_IT_EXISTS, Concept.HOW_IT_WORKS, Concept.GOTCHA})
_SHARED_NAMES, _SHARED_WORDS = 2, 3


def merge_fixes(drafts: Sequence[tuple[Draft, datetime]]) -> list[tuple[Draft, datetime]]:
    """Return the drafts in their order; those that describe the same fix become one."""
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
    """Return the stored memory of a session that describes the same fix as a draft; None if there is none.

    A draft that is a pair of a failure and its fix is not looked for: it leads, and others complete it.
    """
    if draft.type is not Type.BUGFIX or _is_pair(draft):
        return None
    query = Query(scope=scope, session=session, now=at, limit=_MEMBERS)
    for stored in reading.browse(query).items:
        memory = stored.memory
        if memory.type is Type.BUGFIX and _is_same(_to_draft(memory), draft, abs(at - memory.created_at)):
            return stored
    return None


def complete_stored_fix(memory: Memory, draft: Draft) -> Draft | None:
    """Return the draft of a correction that adds a reason to a stored fix; None if there is nothing to add."""
    if not is_fix(memory) or _WHY in memory.content or not _explains(draft):
        return None
    completed = _complete(_to_draft(memory), draft)
    return replace(completed, session=draft.session, source=draft.source, tier=memory.tier, earned=memory.earned)


def _to_draft(memory: Memory) -> Draft:
    return Draft(
        text=memory.content,
        type=memory.type,
        title=memory.title,
        subtitle=memory.subtitle,
        tags=memory.tags,
        concepts=memory.concepts,
        origin=memory.origin,
        files_modified=memory.files_modified,
    )


def _is_pair(draft: Draft) -> bool:
    return any(tag.startswith("error:") for tag in draft.tags or ())


def _explains(draft: Draft) -> bool:
    return bool(_EXPLAINS.intersection(draft.concepts or ()))


def _complete(pair: Draft, other: Draft) -> Draft:
    """Return the leading draft with the reason that the other one gives, and with the files of both."""
    adds = _explains(other) and _WHY not in pair.text
    text = f"{pair.text}{_WHY}{shorten_line(other.text, _LONGEST_REASON)}" if adds else pair.text
    files = tuple(dict.fromkeys((*pair.files_modified, *other.files_modified)))
    return replace(pair, text=text, files_modified=files)


def _is_same(one: Draft, other: Draft, apart: timedelta) -> bool:
    """Tell whether two drafts describe the same fix: soon after each other, one names what the other names.

    One name from the code is enough within minutes; later, or with names of files only, more must be shared.
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
