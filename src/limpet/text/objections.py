"""Recognise an objection in a message, whatever its form: "why is the old name still there", "还是不行".

The rules of `reactions` know a few narrow forms, because what they find may retire a memory. People object in many
more. Here the beginning of a message is weighed by a small linear model: some signals (`objections.table`), and the
words and pairs of words (`objections.bin`), both fitted to messages that a reader has marked. A sum above zero is an
objection; the bias puts zero where about one in seven is false on people whom nothing was fitted to.
What is found here is counted and quoted in reports, and may start an antigen, but never retires anything.
"""

from __future__ import annotations

import math
from functools import cache

from limpet.lean.pattern import lazy
from limpet.text.grams import find_grams, weigh_grams
from limpet.text.reactions import Reaction, ReactionKind, find_reaction, quote_objection
from limpet.text.tables import Row, read_table
from limpet.text.words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

__all__ = ["BIAS", "GRAMS", "TABLE", "find_any_reaction", "load_signals", "measure_message", "score_objection"]

TABLE = "text/objections.table"
GRAMS = "text/objections.bin"
BIAS = "bias"
_FIT = "objections"
_WORDS, _CHARACTERS = 30, 600
"""How much of a message is weighed; with more of it, the model does no better."""
_ANSWERS, _LENGTH = "answers a question", "length"
_SENTENCE = lazy(r"[^.!?…。！？]++(?:[.!?](?=\S)[^.!?…。！？]*+)*+")


def find_any_reaction(text: str, *, is_answer: bool = False) -> Reaction | None:
    """Return the objection in a message, also one in a form that the narrow rules do not know; None if there is none.

    `text` holds only words that the person typed. `is_answer` means that the agent has asked a question before.
    """
    found = find_reaction(text, is_answer=is_answer)
    if found is not None or score_objection(text, is_answer=is_answer) <= 0:
        return found
    return Reaction(kind=ReactionKind.COMPLAINT, words=quote_objection(text))


def score_objection(text: str, *, is_answer: bool = False) -> float:
    """Return the points of a message; above zero it is an objection."""
    signals, grams = measure_message(text, is_answer=is_answer)
    if not grams:
        return -math.inf
    rows = load_signals()
    points = sum(rows[name].weight * value for name, value in signals.items())
    return rows[BIAS].weight + points + sum(each for _, each in weigh_grams(GRAMS, _FIT, grams))


def measure_message(text: str, *, is_answer: bool) -> tuple[dict[str, float], set[str]]:
    """Return the signals of a message, and its words and pairs of words."""
    head = " ".join(text[: _CHARACTERS * 4].split()[:_WORDS])[:_CHARACTERS].replace("’", "'")
    sentences = [split_words(sentence) for sentence in _SENTENCE.findall(head)]
    plain = head.casefold()
    signals = {name: float(pattern.search(plain) is not None) for name, pattern in _load_patterns().items()}
    signals[_ANSWERS] = float(is_answer)
    signals[_LENGTH] = math.log1p(sum(map(len, sentences))) / 5
    return signals, find_grams(sentences)


@cache
def load_signals() -> dict[str, Row]:
    """Return the signals by name, with their weights."""
    return {row.name: row for row in read_table(TABLE)}


@cache
def _load_patterns() -> dict[str, re.Pattern[str]]:
    return {name: lazy(row.contents.replace("\n", "|")) for name, row in load_signals().items() if row.contents}
