"""What is said of one project goes before what is said of all: then the general memory is left out there."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.inject.candidate import Candidate
from limpet.model.memory import Memory, Region

_SAME_THING = 0.5
_PERHAPS = 0.2


def settled(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those AGENT memories of whose subject a PROJECT one speaks too."""
    memories = [each.stored.memory for each in candidates]
    own = [memory for memory in memories if memory.region is Region.PROJECT]
    if not own or len(own) == len(memories):
        return list(candidates)
    # Loaded only where there is something to compare, and each text read once: a hook has little time.
    from limpet.text.similarity import share, vocabulary

    words = {memory.id: vocabulary(memory.content) for memory in memories}

    def is_overridden(general: Memory) -> bool:
        return any(_same(general, special, share(words[general.id], words[special.id])) for special in own)

    return [
        each
        for each in candidates
        if each.stored.memory.region is Region.PROJECT or not is_overridden(each.stored.memory)
    ]


def _same(general: Memory, special: Memory, alike: float) -> bool:
    """Whether two memories speak of the same thing."""
    if alike >= _SAME_THING or alike < _PERHAPS:
        return alike >= _SAME_THING
    from limpet.text.contradiction import contradicts

    return bool(contradicts(special.content, general.content))
