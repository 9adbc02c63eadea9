"""Decide whether a memory may be shown to a model, and which remark it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from limpet.doors.governor import Passed, Way, govern
from limpet.inject.freshness import Freshness, describe_freshness, measure_freshness
from limpet.lean.record import field, record
from limpet.model.memory import Kind, Memory, Region, Type
from limpet.model.query import Stored
from limpet.settings import InjectSettings

Judge = Callable[[Stored], Stored]
"""A function that checks a memory's signature, and returns the memory, with a warning if the check has failed."""

_SAME_SUBJECT = 0.5
_PERHAPS_SAME_SUBJECT = 0.2


@record
class SelectedMemory:
    """A memory that may be shown to a model, with the remark to show beside it."""

    stored: Stored
    passed: Passed
    note: str = ""
    """A remark for the model, such as why the text is quoted or that a cited file has changed; it may be empty."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """The parts of the memory's score, if it was found by a search."""


def select_item(
    stored: Stored,
    *,
    way: Way,
    root: str | None,
    settings: InjectSettings,
    parts: Mapping[str, float] | None = None,
) -> SelectedMemory | None:
    """Return a memory in the form that may be shown to a model; None if it may not be shown."""
    passed = govern(stored, way=way)
    if not isinstance(passed, Passed):
        return None
    note = passed.label
    if stored.memory.citations:
        state, path = measure_freshness(stored.memory.citations, root)
        if settings.withhold_stale and state in (Freshness.STALE, Freshness.GONE):
            return None
        note = "; ".join(each for each in (note, describe_freshness(state, path)) if each)
    return SelectedMemory(stored=stored, passed=passed, note=note, parts=parts or {})


def is_rule(stored: Stored) -> bool:
    """Tell whether a memory says how to work: a rule or a decision, a preference, or something about a person."""
    memory = stored.memory
    return memory.kind in (Kind.EMOTIONAL, Kind.ARCHITECTURAL) or memory.type is Type.DECISION


def drop_overridden(items: Sequence[SelectedMemory]) -> list[SelectedMemory]:
    """Leave out memories for all projects if a memory of this project, also among the items, has the same subject.

    A memory that is trusted less overrides none.
    """
    memories = [each.stored.memory for each in items]
    own = [memory for memory in memories if memory.region is Region.PROJECT]
    if not own or len(own) == len(memories):
        return list(items)
    # Loaded here, and each text is split only once, because a hook has little time.
    from limpet.text.similarity import distinct_words, overlap

    words = {memory.id: distinct_words(memory.content) for memory in memories}

    def is_overridden(general: Memory) -> bool:
        return any(
            _have_same_subject(general, special, overlap(words[general.id], words[special.id]))
            for special in own
            if special.effective_origin.ceiling >= general.effective_origin.ceiling
        )

    return [
        each for each in items if each.stored.memory.region is Region.PROJECT or not is_overridden(each.stored.memory)
    ]


def _have_same_subject(general: Memory, special: Memory, similarity: float) -> bool:
    if similarity >= _SAME_SUBJECT or similarity < _PERHAPS_SAME_SUBJECT:
        return similarity >= _SAME_SUBJECT
    from limpet.text.replacement import contradicts

    return bool(contradicts(special.content, general.content))


def hold_back(
    items: Sequence[SelectedMemory], settings: InjectSettings
) -> tuple[list[SelectedMemory], list[SelectedMemory]]:
    """Split the items into those to show and those to hold back, to measure the effect of showing memories.

    A small random share is held back if the setting `measure` is on; otherwise nothing is.
    """
    if not settings.measure:
        return list(items), []
    given: list[SelectedMemory] = []
    held_back: list[SelectedMemory] = []
    for each in items:
        chance = int.from_bytes(os.urandom(4), "big") / 2**32
        (held_back if chance < settings.held_share else given).append(each)
    return given, held_back
