"""The ladder of phases: one step down for one memory, whether it faded, lost its place or expired.

Archive first, verify, then reduce: the archive is the journal, which keeps every text for ever, so before a text is
shortened its original must have been read back from there. What cannot be read back, or cannot be signed again, stays
as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, born
from limpet.model.memory import Memory, Phase
from limpet.model.query import Stored
from limpet.store.protocol import Reading
from limpet.text.gist import sections
from limpet.text.tokens import count_tokens
from limpet.upkeep.condense import condense
from limpet.upkeep.plan import Resign, change


def lowered(
    reading: Reading,
    stored: Stored,
    phase: Phase,
    *,
    resign: Resign,
    text: Callable[[str, Phase], str] = condense,
) -> Change | None:
    """The change that takes a memory down to a phase; none if that could lose something."""
    memory = stored.memory
    if memory.phase >= phase or not is_kept(reading, memory):
        return None
    content = text(memory.original_content, phase)
    if not is_sound(memory.original_content, content, phase):
        content = condense(memory.original_content, phase)
    shorter = replace(memory, content=content, phase=phase, token_count=count_tokens(content))
    signed = resign(stored, shorter)
    if memory.signature and not signed:
        # Shortened without a new signature it would look as if somebody had altered it.
        return None
    payload = {"content": content, "phase": int(phase), "token_count": shorter.token_count, **signed}
    return change(ChangeKind.CONDENSE, memory, payload)


def is_sound(original: str, content: str, phase: Phase) -> bool:
    """Whether a shorter text may take the place of the original: not empty, not longer, its summary as it was."""
    summary = sections(original)[0] if phase is Phase.HINT else ""
    return bool(content.strip()) and len(content) <= len(original) and summary in content


def is_kept(reading: Reading, memory: Memory) -> bool:
    """Whether the full text can be read back from what was written when it came."""
    for each in reading.history(memory.id):
        first = born(each)
        if first is not None:
            return first.original_content == memory.original_content
    return False
