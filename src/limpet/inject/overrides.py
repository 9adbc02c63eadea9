"""What is said of one project goes before what is said of all: then the general memory is left out there."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.inject.candidate import Candidate
from limpet.model.memory import Memory, Region

_SAME_THING = 0.5
_PERHAPS = 0.2


def settled(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those AGENT memories of whose subject a PROJECT one speaks too."""
    own = [each.stored.memory for each in candidates if each.stored.memory.region is Region.PROJECT]
    return [
        each
        for each in candidates
        if each.stored.memory.region is Region.PROJECT
        or not any(_speak_of_the_same(each.stored.memory, memory) for memory in own)
    ]


def _speak_of_the_same(general: Memory, special: Memory) -> bool:
    # Loaded only where there is something to compare: a hook has little time.
    from limpet.text.similarity import jaccard

    alike = jaccard(general.content, special.content)
    if alike >= _SAME_THING or alike < _PERHAPS:
        return alike >= _SAME_THING
    from limpet.text.contradiction import contradicts

    return bool(contradicts(special.content, general.content))
