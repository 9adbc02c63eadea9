"""The role *summarise* for a whole session: one paragraph about where the work stands, for the next session.

The model writes nothing: it chooses numbered sentences, and code puts them together. A sentence is a line of the
summary that rules have made, or something that the user or the agent said, quoted with its speaker and together with
the sentences that it needs. So no reply can add a word, reverse a sentence, or give an order that was not given in the
session. The model decides only which sentences the next session is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from limpet.errors import ModelFailed
from limpet.guard.engine import find_signs
from limpet.guard.neutral import neutralise
from limpet.guard.signs import CERTAIN
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record
from limpet.llm.checks import read_object
from limpet.llm.curation import SessionMessage, format_objections
from limpet.llm.prompt import escape, load_prompt
from limpet.llm.protocol import Reply, Request
from limpet.text.claims import split_claims
from limpet.text.gist import format_claim, rate_claim
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FEWEST_CHARACTERS = 600
"""A session in which less was said is summarised well enough by rules."""
LONGEST = 600
"""The maximum number of characters of a paragraph."""
MOST_TOKENS = 2000
"""The maximum number of tokens of the session that the model is given."""
MOST_CHOSEN = 6
_SHORTEST_SENTENCE, _LONGEST_SENTENCE = 15, 280
_MOST_REPLY = 400
_NUMBER_TOKENS = 6
"""The tokens for the number and the speaker of a sentence."""
_OPEN = "Open:"
"""The heading of what rules know to be open; that line is told whatever the model chooses."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"chosen": {"type": "array", "items": {"type": "integer"}}},
    "required": ["chosen"],
    "additionalProperties": False,
}


class Speaker(StrEnum):
    """The speaker of a sentence."""

    RULES = "recorded"
    USER = "user"
    AGENT = "agent"


_INTRODUCTIONS = {Speaker.USER: "The user said: ", Speaker.AGENT: "The agent reported: "}


@record
class Sentence:
    """A part of a session that a model may choose."""

    speaker: Speaker
    text: str

    @property
    def is_open(self) -> bool:
        return self.speaker is Speaker.RULES and self.text.startswith(_OPEN)


def find_sentences(messages: Sequence[SessionMessage], recorded: str, *, tokens: int = MOST_TOKENS) -> list[Sentence]:
    """Return the sentences that may be chosen, in the order of the session; `recorded` is the summary by rules.

    If there is more than fits into `tokens`, the most informative sentences are returned; words of the user count more.
    """
    lines = recorded.split("\n\n", 1)[0].splitlines()
    known = [Sentence(speaker=Speaker.RULES, text=text) for line in lines if (text := _make_quotable(line))]
    rates: dict[Sentence, float] = {}
    for message in messages:
        for sentence, rate in _split_message(message):
            if sentence.text not in recorded:
                rates.setdefault(sentence, rate)
    rated = [(rate, sentence) for sentence, rate in rates.items()]
    room = tokens - sum(map(_count_tokens, known))
    taken = set[int]()
    # Of two that are equally informative, the later one is nearer to where the work stands.
    for at in sorted(range(len(rated)), key=lambda at: (rated[at][0], at), reverse=True):
        size = _count_tokens(rated[at][1])
        if size <= room:
            taken.add(at)
            room -= size
    return known + [rated[at][1] for at in sorted(taken)]


def _split_message(message: SessionMessage) -> Iterator[tuple[Sentence, float]]:
    """Yield each sentence of a message that may be chosen, and how informative it is."""
    if message.is_objected:
        return
    speaker = Speaker.USER if message.by_user else Speaker.AGENT
    for claim in split_claims(message.text):
        text = _make_quotable(format_claim(claim))
        if claim.is_block or not _SHORTEST_SENTENCE <= len(text) <= _LONGEST_SENTENCE:
            continue
        signs = find_signs(text)
        # The user may give orders. An order in a report may be one that the agent has read somewhere.
        if not (CERTAIN.isdisjoint(signs) if message.by_user else not signs):
            continue
        yield Sentence(speaker=speaker, text=text), rate_claim(claim) + (1.0 if message.by_user else 0.0)


def _make_quotable(text: str) -> str:
    """Return the text on one line, safe to quote: it cannot imitate markup or a frame, or close its quotation marks."""
    return escape(neutralise(text, one_line=True), one_line=True).replace("‘", "'").replace("’", "'")


def _count_tokens(sentence: Sentence) -> int:
    return count_tokens(sentence.text) + _NUMBER_TOKENS


def write_session_request(sentences: Sequence[Sentence], objections: Sequence[str] = ()) -> Request:
    """Return the request to choose among sentences."""
    lines = (f"[{number}] {each.speaker}: {each.text}" for number, each in enumerate(sentences, 1))
    parts = [format_objections(objections)] if objections else []
    parts.append("<session>\n" + "\n".join(lines) + "\n</session>")
    return Request(
        instructions=load_prompt("session"), text="\n\n".join(parts), most_tokens=_MOST_REPLY, schema=_SCHEMA
    )


def read_paragraph(reply: Reply, sentences: Sequence[Sentence]) -> str:
    """Return the paragraph made of the sentences that a reply chooses; raise ModelFailed if there are fewer than two.

    Numbers that name no sentence are ignored. The reply names the most important sentences first; as many are used as
    there is room for.
    """
    chosen = read_object(reply).get("chosen")
    if not isinstance(chosen, list):
        raise ModelFailed("chosen is not a list of numbers")
    numbers = [number for number in chosen if type(number) is int and 1 <= number <= len(sentences)]
    taken = {at for at, each in enumerate(sentences) if each.is_open}
    told = 0
    for at in dict.fromkeys(number - 1 for number in numbers):
        if at in taken:
            told += sentences[at].is_open
        elif told < MOST_CHOSEN and len(_format([sentences[each] for each in sorted({*taken, at})])) <= LONGEST:
            taken.add(at)
            told += 1
    if told < 2:
        raise ModelFailed("the reply chooses fewer than two sentences")
    return _format([sentences[at] for at in sorted(taken)])


def _format(sentences: Sequence[Sentence]) -> str:
    """Return sentences as one paragraph: the record of the rules, what was said, and what is open."""
    parts = list[str]()
    for speaker, group in groupby(sorted(sentences, key=lambda each: each.is_open), key=lambda each: each.speaker):
        texts = [each.text for each in group]
        if speaker is Speaker.RULES:
            parts += texts
        else:
            parts.append(_INTRODUCTIONS[speaker] + " ".join(f"‘{text}’" for text in texts))
    return " ".join(parts)
