"""Summarise a session in a paragraph about the state of the work, for the next session.

The model only chooses among numbered sentences, and code joins them into a paragraph. The sentences are lines from the
summary made by rules, and quotes from the user and the agent. So no reply can add a word, reverse the meaning of a
sentence, or give an instruction that was not given in the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from limpet.errors import ModelFailed
from limpet.guard.engine import find_signs
from limpet.guard.neutral import neutralise
from limpet.guard.signs import CERTAIN
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record
from limpet.llm.checks import read_object
from limpet.llm.curation import SessionMessage, format_objections
from limpet.llm.protocol import Reply, Request
from limpet.llm.request_text import escape, load_prompt
from limpet.text.claims import split_claims
from limpet.text.gist import format_claim, rate_claim
from limpet.text.tokens import count_tokens

FEWEST_CHARACTERS = 600
"""The minimum length of a session that a model is asked to summarise, in characters. Rules summarise shorter ones."""
LONGEST = 600
"""The maximum length of the paragraph, in characters."""
MOST_TOKENS = 2000
"""The maximum number of tokens that the sentences may take up in a request."""
MOST_CHOSEN = 6
_SHORTEST_SENTENCE, _LONGEST_SENTENCE = 15, 280
_MOST_REPLY = 400
_NUMBER_TOKENS = 6
"""The number of tokens that are needed for the number and the speaker in front of a sentence."""
_OPEN = "Open:"
"""The start of the line about open work in the summary made by rules. This line is always part of the paragraph."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"chosen": {"type": "array", "items": {"type": "integer"}}},
    "required": ["chosen"],
    "additionalProperties": False,
}


class Speaker(StrEnum):
    """The source of a sentence: the summary made by rules, the user or the agent."""

    RULES = "recorded"
    USER = "user"
    AGENT = "agent"


_INTRODUCTIONS = {Speaker.USER: "The user said: ", Speaker.AGENT: "The agent reported: "}


@record
class Sentence:
    """A sentence about a session that a model may choose for the paragraph."""

    speaker: Speaker
    text: str

    @property
    def is_open(self) -> bool:
        return self.speaker is Speaker.RULES and self.text.startswith(_OPEN)


def find_sentences(messages: Sequence[SessionMessage], recorded: str, *, tokens: int = MOST_TOKENS) -> list[Sentence]:
    """Return the sentences from which a model may choose: lines from the summary `recorded`, then quotes, oldest first.

    If not all quotes fit into `tokens` tokens, the most informative ones are returned. Quotes from the user rank
    higher.
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
    # Of two equally informative sentences, the later one is closer to the present state of the work.
    for at in sorted(range(len(rated)), key=lambda at: (rated[at][0], at), reverse=True):
        size = _count_tokens(rated[at][1])
        if size <= room:
            taken.add(at)
            room -= size
    return known + [rated[at][1] for at in sorted(taken)]


def _split_message(message: SessionMessage) -> Iterator[tuple[Sentence, float]]:
    """Yield the sentences from a message that may be quoted, each with a score of how informative it is."""
    if message.is_objected:
        return
    speaker = Speaker.USER if message.by_user else Speaker.AGENT
    for claim in split_claims(message.text):
        text = _make_quotable(format_claim(claim))
        if claim.is_block or not _SHORTEST_SENTENCE <= len(text) <= _LONGEST_SENTENCE:
            continue
        signs = find_signs(text)
        # The user may give instructions. In an agent's report they may be copied from something that it read.
        if not (CERTAIN.isdisjoint(signs) if message.by_user else not signs):
            continue
        yield Sentence(speaker=speaker, text=text), rate_claim(claim) + (1.0 if message.by_user else 0.0)


def _make_quotable(text: str) -> str:
    """Return a text on one line, changed so that it cannot imitate markup or close the quotation marks around it."""
    return escape(neutralise(text, one_line=True), one_line=True).replace("‘", "'").replace("’", "'")


def _count_tokens(sentence: Sentence) -> int:
    return count_tokens(sentence.text) + _NUMBER_TOKENS


def write_session_request(sentences: Sequence[Sentence], objections: Sequence[str] = ()) -> Request:
    """Return the request that asks a model to choose among the sentences."""
    lines = (f"[{number}] {each.speaker}: {each.text}" for number, each in enumerate(sentences, 1))
    parts = [format_objections(objections)] if objections else []
    parts.append("<session>\n" + "\n".join(lines) + "\n</session>")
    return Request(
        instructions=load_prompt("session"), text="\n\n".join(parts), most_tokens=_MOST_REPLY, schema=_SCHEMA
    )


def read_paragraph(reply: Reply, sentences: Sequence[Sentence]) -> str:
    """Return a paragraph made of the sentences that a reply chooses. Raise ModelFailed if it chooses fewer than two.

    The reply lists the numbers of the sentences, most important first. Unknown numbers are ignored, and sentences that
    do not fit into the paragraph are left out.
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
        elif told < MOST_CHOSEN and len(_join_sentences([sentences[each] for each in sorted({*taken, at})])) <= LONGEST:
            taken.add(at)
            told += 1
    if told < 2:
        raise ModelFailed("the reply chooses fewer than two sentences")
    return _join_sentences([sentences[at] for at in sorted(taken)])


def _join_sentences(sentences: Sequence[Sentence]) -> str:
    """Join sentences into one paragraph: the recorded lines, the quotes of each speaker, and finally the open work."""
    parts = list[str]()
    for speaker, group in groupby(sorted(sentences, key=lambda each: each.is_open), key=lambda each: each.speaker):
        texts = [each.text for each in group]
        if speaker is Speaker.RULES:
            parts += texts
        else:
            parts.append(_INTRODUCTIONS[speaker] + " ".join(f"‘{text}’" for text in texts))
    return " ".join(parts)
