"""Condense a memory: move it to a later phase, in which less of its text is active.

This happens if the memory was not used, if there are too many memories, or if it has expired. The original text stays
in the journal and can be restored. So a memory is not changed if its original text cannot be read from the journal, or
if the memory cannot be signed again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.lean.record import replace
from limpet.llm.extractive import ExtractiveRoles
from limpet.model.change import Change, ChangeKind
from limpet.model.fold import decode_birth
from limpet.model.memory import Memory, Phase
from limpet.model.query import Stored
from limpet.store.protocol import Reading
from limpet.text.answers import keep_answers
from limpet.text.gist import SHORT, split_summary
from limpet.text.tokens import count_tokens
from limpet.upkeep.job import SignAgain, upkeep_change

__all__ = ["SHORT", "condense_memory", "condense_text"]

condense_text = ExtractiveRoles().summarise
"""A function that shortens a text to the part that is active in a phase, such as key points or one sentence."""


def condense_memory(
    reading: Reading,
    stored: Stored,
    phase: Phase,
    *,
    sign_again: SignAgain,
    summarise: Callable[[str, Phase], str] = condense_text,
    answers: Callable[[Memory], Sequence[str]] = lambda memory: (),
) -> Change | None:
    """Return the change that moves a memory to a later phase, or None if it must not or need not be moved.

    It need not if it is in that phase already. It must not if its original text is not in the journal, if the text
    would get longer, or if a signed memory cannot be signed again. `summarise` shortens the text. `answers` returns the
    sentences of the memory that have answered questions; the shorter text keeps them.
    """
    memory, original = stored.memory, stored.memory.original_content
    if memory.phase >= phase:
        return None
    first = next(filter(None, map(decode_birth, reading.history(memory.id))), None)
    if first is None or first.original_content != original:
        return None
    content = summarise(original, phase)
    # A hint is the original's summary.
    summary = split_summary(original)[0] if phase is Phase.HINT else ""
    if not content.strip() or len(content) > len(original) or summary not in content:
        content = condense_text(original, phase)
    if phase < Phase.ARCHIVED:
        content = keep_answers(content, answers(memory))
        if len(content) > len(original):
            return None
    shorter = replace(memory, content=content, phase=phase, token_count=count_tokens(content))
    signed = sign_again(stored, shorter)
    if memory.signature and not signed:
        # The old signature would not be valid for the shorter text, so the memory would look as if it was altered.
        return None
    payload = {"content": content, "phase": int(phase), "token_count": shorter.token_count, **signed}
    return upkeep_change(ChangeKind.CONDENSE, memory, payload)
