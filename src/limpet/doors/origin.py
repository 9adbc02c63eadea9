"""Lower the origin of a draft that repeats less trusted text.

The origin that the caller gives is only an upper limit. A draft may repeat the memory that it corrects, a page that was
read in the same session, or a memory of such a page. It then gets the least trusted of these origins. What an agent
stores in a turn in which it read something from outside may be a paraphrase of that, which no comparison finds. So it
gets the origin `tool`, whose text is told as a quotation, unless it says what the user typed. Two cases are handled
elsewhere: captured text is compared when it is captured (`capture.taint`), and a memory from an unsigned export has at
most the origin `import` (`exported`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.lean.record import replace
from limpet.model.memory import Draft, Memory, Origin, Region
from limpet.model.query import Stored
from limpet.model.taint import Taint

_MOST_NAMED = 3
_SHORT, _LONGEST = 200, 4000  # characters


def lower_origin(draft: Draft, *, taint: Callable[[], Taint], correcting: Stored | None, returning: bool) -> Draft:
    """Return the draft with its origin lowered to that of the memory it corrects or of the text it repeats.

    The origin is unchanged if the draft is derived from other memories, or if it restores an earlier version
    (`returning`).
    """
    if returning or draft.sources:
        return draft
    origin, names = draft.origin, draft.drawn_from
    if origin is not Origin.USER and not names:
        words = "\n".join(filter(None, (draft.text, draft.title, draft.subtitle)))
        origin, names = find_origin(origin, words, taint())
    older = () if correcting is None else (correcting.memory.origin,)
    return replace(draft, origin=Origin.lowest((origin, *older)), drawn_from=names)


def find_origin(origin: Origin, text: str, taint: Taint) -> tuple[Origin, tuple[str, ...]]:
    """Return the origin of a text that is stored on purpose, and the names of the outside sources that lower it."""
    origin, names = taint.lower(origin, text)
    if origin is Origin.AGENT and taint.outside and not any(says_what_was_typed(text, each) for each in taint.typed):
        return Origin.TOOL, taint.outside
    return origin, names


def says_what_was_typed(text: str, typed: str) -> bool:
    """Tell whether a text has nearly the words of what the user typed, in the same order, and no further name."""
    # What is much longer than the words that were typed says more than they do, and takes long to compare.
    if len(text) > min(2 * len(typed) + _SHORT, _LONGEST):
        return False
    # Loaded here, because few texts are stored in a turn in which something was read from outside.
    from limpet.llm.checks import adds_names
    from limpet.text.passages import restates

    return restates(text, typed) and not adds_names(text, typed)


def lower_to_repeated(draft: Draft, memory: Memory, near: Sequence[Memory]) -> Draft:
    """Return the draft, with its origin lowered if it repeats a less trusted memory from outside.

    `memory` is made from the draft, and `near` contains the memories that say nearly the same.
    """
    if memory.origin is Origin.USER or draft.sources:
        return draft
    for known in near:
        origin = known.effective_origin
        if origin.is_outside and origin.ceiling < memory.origin.ceiling:
            return replace(draft, origin=origin, drawn_from=(*draft.drawn_from, known.id))
    return draft


def describe_origin(memory: Memory, draft: Draft, speaker: Origin, correcting: Stored | None) -> list[str]:
    """Return a remark for the user if a memory has a less trusted origin than the caller gave, or an empty list."""
    if memory.origin is speaker or memory.confirmed or draft.sources:
        return []
    why = "as that of the memory it corrects"
    if draft.drawn_from:
        more = len(draft.drawn_from) - _MOST_NAMED
        named = ", ".join(draft.drawn_from[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        if memory.origin is Origin.TOOL:
            was = "was" if len(draft.drawn_from) == 1 else "were"
            return [
                f"it is told as a quotation, because {named} {was} read in this turn and the user did not type it; "
                f"to vouch for it: limpet confirm {memory.id}"
            ]
        why = f"because its words were read from {named}"
    elif correcting is None:
        return []
    return [f"its origin is {memory.origin.value}, {why}; to vouch for it: limpet confirm {memory.id}"]


def refuse_replacement(memory: Memory, older: Memory, *, speaker: Origin) -> str | None:
    """Return the reason why a memory does not replace an older one although the caller says so, or None if it does.

    What an agent has not said itself takes the place of nothing that is trusted more. Only the user, as `speaker`,
    replaces a pinned memory, or replaces a memory of every project with one of a single project.
    """
    if not speaker.is_own and older.effective_origin.ceiling > speaker.ceiling:
        return "is trusted more than this"
    if speaker is Origin.USER:
        return None
    if older.region is Region.AGENT and memory.region is not Region.AGENT:
        return "is valid in every project, and this in one"
    return "is pinned" if older.pinned else None


def refuse_correction(memory: Memory, draft: Draft, correcting: Stored | None) -> str | None:
    """Return the reason to refuse a correction, or None if it is allowed.

    A correction is refused if its words were read outside and the older memory is trusted more.
    """
    if correcting is None or not draft.drawn_from or not memory.origin.is_outside:
        return None
    older = correcting.memory
    if memory.origin.ceiling >= older.effective_origin.ceiling:
        return None
    return (
        f"this was read from outside ({memory.origin.value}) and cannot take the place of {older.id}, "
        f"which is trusted more; nothing was changed, the user can run: limpet correct {older.id}"
    )
