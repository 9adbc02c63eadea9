"""The role *extract*: draw facts, an episode and preferences from notes about finished sessions.

This module writes the request. What the model replies is checked line by line against the sources by the caller.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.lean.record import record
from limpet.llm.prompt import frame, load_prompt
from limpet.llm.protocol import Request
from limpet.text.tokens import count_tokens

MOST_REPLY = 4000
"""The maximum number of tokens of a reply."""
_FRAME = 16
"""The tokens around a source."""


@record
class SourceText:
    """A text to extract from, in the form in which a model may see it."""

    id: str
    text: str


def load_extraction_prompt() -> str:
    """Return the instructions for the model."""
    return load_prompt("extract")


def split_batches(sources: Sequence[SourceText], *, tokens: int) -> list[list[SourceText]]:
    """Return the sources in batches of at most `tokens`; a source that is longer alone is cut."""
    room = max(1, tokens - count_tokens(load_extraction_prompt()) - _FRAME)
    batches: list[list[SourceText]] = []
    left = 0
    for each in sources:
        text = _cut(each.text, room - _FRAME)
        size = count_tokens(text) + _FRAME
        if not batches or size > left:
            batches.append([])
            left = room
        batches[-1].append(SourceText(id=each.id, text=text))
        left -= size
    return batches


def _cut(text: str, tokens: int) -> str:
    """Return the beginning of a text that has at most `tokens`."""
    while len(text) > 1 and (size := count_tokens(text)) > tokens:
        text = text[: max(1, min(len(text) - 1, len(text) * max(1, tokens) // size))]
    return text


def write_extraction_request(sources: Sequence[SourceText]) -> Request:
    """Return the request about some sources."""
    text = "\n\n".join(frame("source", each.text, id=each.id) for each in sources)
    return Request(instructions=load_extraction_prompt(), text=text, most_tokens=MOST_REPLY)
