"""Write the request that asks a model for facts, preferences and summaries from notes about finished sessions.

The caller checks each line of the reply against the notes.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.lean.record import record
from limpet.llm.protocol import Request
from limpet.llm.request_text import frame, load_prompt
from limpet.text.tokens import count_tokens

MOST_REPLY = 4000
"""The maximum number of tokens in the model's reply."""
_FRAME = 16
"""The number of tokens that the tags around a source need."""


@record
class SourceText:
    """A source text for extraction, already in a form that may be sent to a model."""

    id: str
    text: str


def load_extraction_prompt() -> str:
    """Return the prompt that tells a model what to extract."""
    return load_prompt("extract")


def split_batches(sources: Sequence[SourceText], *, tokens: int) -> list[list[SourceText]]:
    """Group sources into batches, each of which fits into a request of at most `tokens` tokens.

    A source that does not fit into a single request is cut.
    """
    room = max(1, tokens - count_tokens(load_extraction_prompt()) - _FRAME)
    batches: list[list[SourceText]] = []
    left = 0
    for each in sources:
        text, most = each.text, max(1, room - _FRAME)
        while len(text) > 1 and (size := count_tokens(text)) > most:
            text = text[: max(1, min(len(text) - 1, len(text) * most // size))]
        size = count_tokens(text) + _FRAME
        if not batches or size > left:
            batches.append([])
            left = room
        batches[-1].append(SourceText(id=each.id, text=text))
        left -= size
    return batches


def write_extraction_request(sources: Sequence[SourceText]) -> Request:
    """Return the request that asks a model to extract facts from the sources."""
    text = "\n\n".join(frame("source", each.text, id=each.id) for each in sources)
    return Request(instructions=load_extraction_prompt(), text=text, most_tokens=MOST_REPLY)
