"""Lower the origin of a draft that repeats other sources, at the moment when it is stored.

The caller claims an origin, which is an upper limit. A correction may repeat the older text, and a note may repeat a
page that was read in the same session, or a memory of a page that was read before: the draft then has the lowest origin
of the sources that it repeats. Two cases are handled elsewhere: a captured text is compared with what its session has
read when it is captured (`capture.taint`), and a memory of an unsigned export never gets an origin above `import`
(`exported`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.lean.record import replace
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.query import Stored
from limpet.model.taint import Taint

_MOST_NAMED = 3


def lower_origin(draft: Draft, *, taint: Callable[[], Taint], correcting: Stored | None, returning: bool) -> Draft:
    """Return the draft with the least trusted origin of itself, the memory it corrects and the sources it repeats.

    A draft derived from memories already has their origin, and one that restores an earlier version keeps its own.
    """
    if returning or draft.sources:
        return draft
    origin, names = draft.origin, draft.drawn_from
    if origin is not Origin.USER and not names:
        words = "\n".join(filter(None, (draft.text, draft.title, draft.subtitle)))
        origin, names = taint().lower(origin, words)
    older = () if correcting is None else (correcting.memory.origin,)
    return replace(draft, origin=Origin.lowest((origin, *older)), drawn_from=names)


def repeat_known(draft: Draft, memory: Memory, near: Sequence[Memory]) -> Draft:
    """Return the draft with the origin of an outside memory that says nearly the same: the draft may repeat it."""
    if memory.origin is Origin.USER or draft.sources:
        return draft
    for known in near:
        origin = known.effective_origin
        if origin.is_outside and origin.ceiling < memory.origin.ceiling:
            return replace(draft, origin=origin, drawn_from=(*draft.drawn_from, known.id))
    return draft


def describe_origin(memory: Memory, draft: Draft, speaker: Origin, correcting: Stored | None) -> list[str]:
    """Return a note if a memory has a lower origin than the speaker who stored it."""
    if memory.origin is speaker or memory.confirmed or draft.sources:
        return []
    why = "as that of the memory it corrects"
    if draft.drawn_from:
        more = len(draft.drawn_from) - _MOST_NAMED
        named = ", ".join(draft.drawn_from[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        why = f"because its words were read from {named}"
    elif correcting is None:
        return []
    return [f"its origin is {memory.origin.value}, {why}; to vouch for it: limpet confirm {memory.id}"]


def refuse_to_retire(memory: Memory, draft: Draft, correcting: Stored | None) -> str | None:
    """Return the reason to refuse a correction: words that were read never replace a memory of a higher origin."""
    if correcting is None or not draft.drawn_from or not memory.origin.is_outside:
        return None
    older = correcting.memory
    if memory.origin.ceiling >= older.effective_origin.ceiling:
        return None
    return (
        f"this was read from outside ({memory.origin.value}) and cannot take the place of {older.id}, "
        f"which is trusted more; nothing was changed, the user can run: limpet correct {older.id}"
    )
