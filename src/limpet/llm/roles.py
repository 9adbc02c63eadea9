"""Summarise, merge and decide with a language model, and check its results.

A result must pass the checks in `checks`. A merged text must also contain every name and number from its sources, and a
decision must be about memories that the model was shown. If a check or the model fails, `ExtractiveRoles` is used
instead. Nothing here can delete a memory, raise its trust or lower its sensitivity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from limpet.errors import ModelFailed
from limpet.llm.checks import SHORTEST, adds_names, check_text, read_object, read_text_field
from limpet.llm.extractive import ExtractiveRoles
from limpet.llm.protocol import Decision, DecisionKind, Gist, Reply, Request, TokenRoom
from limpet.llm.request_text import escape, frame, load_prompt
from limpet.model.memory import Phase
from limpet.text import gist
from limpet.text.excerpt import shorten_sentences
from limpet.text.tokens import count_tokens
from limpet.text.words import split_words

SUMMARISE, MERGE, DECIDE = "summarise", "merge", "decide"
_MOST_TAGS = 5
_LONGEST_TAG = 40
_LONGEST_REASON = 300
_MOST_REPLY, _MOST_GIST, _MOST_DECISION = 800, 250, 350
_MOST_TOKENS = 5000
"""The maximum number of tokens that a conversation may take up in a request."""
_FEWEST_TOKENS = 60
"""The minimum number of tokens for part of a conversation. If there is room for fewer, no model is asked."""
_FRAME_TOKENS = 24
"""The number of tokens that the tags around a conversation need."""
_LONGEST_SAID, _LONGEST_ANSWER = 600, 160
"""The maximum length in a request, in characters, of a person's message and of the end of an assistant's answer."""
_MOST_CHARACTERS = 20_000
"""The maximum total length of the texts in a request, in characters. This is about 5,000 tokens."""

Ask = Callable[[Request, str], Reply]
"""A function that sends a request to a model and returns the reply, or raises ModelFailed.

The string names the task that the request is for, such as "merge".
"""

_TEXT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
_MEMORY: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "memory": {"type": "string"},
        "importance": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["memory", "importance", "tags"],
    "additionalProperties": False,
}
_DECISION: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["delete", "edit"]},
        "targetMemoryId": {"type": "string"},
        "withMemoryId": {"type": "string"},
        "newContent": {"type": "string"},
        "reason": {"type": "string"},
    },
    "required": ["action", "targetMemoryId", "withMemoryId", "newContent", "reason"],
    "additionalProperties": False,
}


class ModelRoles:
    """An implementation of `Roles` that asks a model, and falls back to `ExtractiveRoles` if that fails.

    `refused` contains the number of failures by reason.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._otherwise = ExtractiveRoles()
        self.refused: dict[str, int] = {}

    def summarise(self, text: str, phase: Phase) -> str:
        """Return the text of a memory, shortened for a phase. Ask the model if that is useful.

        If the text contains a summary, the model is asked only in the last phase. Until then the summary is kept
        unchanged.
        """
        is_asked = phase in (Phase.HINT, Phase.ABSTRACT) and len(text) > gist.SHORT
        if is_asked and not (phase is Phase.HINT and gist.split_summary(text)[0]):
            most = gist.HINT if phase is Phase.HINT else gist.SHORT
            asked = f"{frame('text', text[:_MOST_CHARACTERS])}\n\nAt most {most} characters."
            with self._catch_failure():
                made = read_text_field(self._ask_object(SUMMARISE, "summarise", asked, _TEXT), "text")
                return check_text(made, text, most=min(most, len(text) - 1))
        return self._otherwise.summarise(text, phase)

    def summarise_conversation(
        self, messages: Sequence[tuple[bool, str]], *, most: int, room: TokenRoom | None = None
    ) -> Gist:
        """Summarise what is worth remembering from a conversation.

        The text of the result is an empty string if the model finds nothing worth remembering.
        """
        if messages:
            with self._catch_failure():
                fixed = count_tokens(load_prompt("conversation")) + _MOST_GIST + _FRAME_TOKENS
                tokens = _MOST_TOKENS if room is None else min(_MOST_TOKENS, room.left - fixed)
                asked = f"{frame_conversation(messages, tokens)}\n\nAt most {most} characters."
                answer = self._ask_object(SUMMARISE, "conversation", asked, _MEMORY, most=_MOST_GIST, room=room)
                made = read_text_field(answer, "memory")
                if len(made) < SHORTEST:
                    return Gist(text="")
                source = "\n".join(text for _, text in messages)
                text = check_text(shorten_sentences(made, most), source, most=most)
                return Gist(text=text, tags=_read_tags(answer, source), importance=_read_importance(answer))
        return self._otherwise.summarise_conversation(messages, most=most)

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """Return the `most` most informative statements of a text, without asking the model."""
        return self._otherwise.extract(text, most=most)

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """Merge labelled texts, given as pairs of label and text, into one with all their names and numbers."""
        whole = "\n".join(text for _, text in texts)
        if len(whole) <= _MOST_CHARACTERS:
            with self._catch_failure():
                asked = "\n\n".join(frame("text", text, id=escape(label, one_line=True)) for label, text in texts)
                made = read_text_field(self._ask_object(MERGE, "merge", asked, _TEXT), "text")
                labels = "\n".join(label for label, _ in texts)
                check_text(made, f"{whole}\n{labels}", most=len(whole))
                if any(adds_names(text, made) for _, text in texts):
                    raise ModelFailed("the merged text lacks a name or number of its sources")
                return made
        return self._otherwise.merge(texts)

    def decide(
        self, memories: Sequence[tuple[str, str]], *, newest: str, most: int, room: TokenRoom | None = None
    ) -> Decision:
        """Return the model's decision if it is valid. Otherwise decide to delete the oldest memory."""
        listed = "\n\n".join(frame("memory", text, id=name) for name, text in memories)
        asked = f"{listed}\n\nThe newest memory is {newest}. A merged text has at most {most} characters."
        with self._catch_failure():
            answer = self._ask_object(DECIDE, "decide", asked, _DECISION, most=_MOST_DECISION, room=room)
            return _read_decision(answer, dict(memories), newest, most)
        return self._otherwise.decide(memories, newest=newest)

    def _ask_object(
        self,
        role: str,
        prompt: str,
        text: str,
        schema: Mapping[str, Any],
        *,
        most: int = _MOST_REPLY,
        room: TokenRoom | None = None,
    ) -> dict[str, Any]:
        """Ask the model for one JSON object of at most `most` tokens, and subtract the cost from `room`.

        Raise ModelFailed if the request could cost more tokens than `room` has left, or if the reply is not one JSON
        object.
        """
        request = Request(instructions=load_prompt(prompt), text=text, most_tokens=most, schema=schema)
        if room is not None and request.tokens + most > room.left:
            raise ModelFailed("asking would cost more than its share")
        reply = self._ask(request, role)
        if room is not None:
            room.left -= max(reply.tokens_in, request.tokens) + max(reply.tokens_out, count_tokens(reply.text))
        return read_object(reply)

    @contextmanager
    def _catch_failure(self) -> Iterator[None]:
        """Catch ModelFailed and count its reason, so that the caller can continue without the model."""
        try:
            yield
        except ModelFailed as failure:
            reason = str(failure)
            self.refused[reason] = self.refused.get(reason, 0) + 1


def frame_conversation(messages: Sequence[tuple[bool, str]], tokens: int) -> str:
    """Return the newest messages of a conversation, between tags, that fit into `tokens` tokens.

    Of a person's long message, the beginning and the end are kept. Of an assistant's, only the end is kept, because it
    contains the result. Raise ModelFailed if not even a useful part of the conversation fits.
    """
    lines = [
        f"{'person' if by_user else 'assistant'}: {escape(_shorten_message(by_user, text))}"
        for by_user, text in messages
    ]
    kept: list[str] = []
    used = 0
    for line in reversed(lines):
        used += count_tokens(line) + 2
        if used > tokens:
            break
        kept.insert(0, line)
    if not kept or (len(kept) < len(lines) and tokens < _FEWEST_TOKENS):
        raise ModelFailed("asking would cost more than its share")
    return "<conversation>\n" + "\n\n".join(kept) + "\n</conversation>"


def _shorten_message(by_user: bool, text: str) -> str:
    text = text.strip()
    if by_user:
        return text if len(text) <= _LONGEST_SAID else f"{text[: _LONGEST_SAID // 2]} … {text[-_LONGEST_SAID // 2 :]}"
    return text if len(text) <= _LONGEST_ANSWER else f"… {text[-_LONGEST_ANSWER:].partition(' ')[2]}"


def _read_decision(answer: Mapping[str, Any], texts: Mapping[str, str], newest: str, most: int) -> Decision:
    target, other, reason = answer.get("targetMemoryId"), answer.get("withMemoryId") or newest, answer.get("reason")
    if not isinstance(target, str) or target not in texts or not isinstance(reason, str) or not reason.strip():
        raise ModelFailed("the decision names no memory that was shown, or no reason")
    reason = " ".join(reason.split())[:_LONGEST_REASON]
    match answer.get("action"):
        case DecisionKind.DELETE if target != newest:
            return Decision(kind=DecisionKind.DELETE, id=target, reason=reason)
        case DecisionKind.EDIT if isinstance(other, str) and other in texts and other != target:
            text = check_text(read_text_field(answer, "newContent"), f"{texts[target]}\n{texts[other]}", most=most)
            return Decision(kind=DecisionKind.EDIT, id=target, other=other, text=text, reason=reason)
        case _:
            raise ModelFailed("the decision is neither to delete an older memory nor to merge two")


def _read_tags(answer: Mapping[str, Any], source: str) -> tuple[str, ...]:
    """Return the tags in a model's answer that are also words of the source."""
    given = answer.get("tags")
    words = set(split_words(source))
    tags = [tag.strip().lower() for tag in given if isinstance(tag, str)] if isinstance(given, list) else []
    return tuple(dict.fromkeys(tag for tag in tags if tag in words and len(tag) <= _LONGEST_TAG))[:_MOST_TAGS]


def _read_importance(answer: Mapping[str, Any]) -> float | None:
    value = answer.get("importance")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) / 10 if is_number and 0 <= value <= 10 else None  # type: ignore[operator,arg-type]
