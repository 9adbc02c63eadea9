"""Detect objections of the user in any form, such as "why is the old name still there", with a fitted model.

The rules in `reactions` find only a few forms, because their findings may retire a memory. This module scores the
beginning of a message with a linear model. Its features are signals (`objections.table`) and the words and pairs of
words (`objections.bin`). It was fitted to messages that were labelled by hand. A message with a score above zero is an
objection. The bias is chosen so that, in messages from people who were left out of the fitting, about one finding in
seven is wrong.

Findings are counted and quoted in reports, and may start an antigen (a record of a recurring failure). They never
retire a memory.
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

TABLE = "text/objections.table"
GRAMS = "text/objections.bin"
BIAS = "bias"
_FIT = "objections"
_WORDS, _CHARACTERS = 30, 600
"""The number of words and of characters of a message that are scored; longer beginnings do not improve the result."""
_ANSWERS, _LENGTH = "answers a question", "length"
_SENTENCE = lazy(r"[^.!?…。！？]++(?:[.!?](?=\S)[^.!?…。！？]*+)*+")


def find_any_reaction(text: str, *, is_answer: bool = False) -> Reaction | None:
    """Return the objection in a message, found by the rules of `reactions` or else by the model, or None.

    Only what the user typed can be an objection to the agent. For any other text, the result only tells whether it
    reads like a reproach. `is_answer` is set if the message answers a question from the agent.
    """
    found = find_reaction(text, is_answer=is_answer)
    if found is not None or score_objection(text, is_answer=is_answer) <= 0:
        return found
    return Reaction(kind=ReactionKind.COMPLAINT, words=quote_objection(text))


def score_objection(text: str, *, is_answer: bool = False) -> float:
    """Return the score of a message, which is above zero for an objection.

    For a message without words, the score is minus infinity.
    """
    signals, grams = measure_message(text, is_answer=is_answer)
    if not grams:
        return -math.inf
    rows = load_signals()
    points = sum(rows[name].weight * value for name, value in signals.items())
    return rows[BIAS].weight + points + sum(each for _, each in weigh_grams(GRAMS, _FIT, grams))


def measure_message(text: str, *, is_answer: bool) -> tuple[dict[str, float], set[str]]:
    """Return the features of the beginning of a message: the values of the signals, and its words and word pairs."""
    head = " ".join(text[: _CHARACTERS * 4].split()[:_WORDS])[:_CHARACTERS].replace("’", "'")
    sentences = [split_words(sentence) for sentence in _SENTENCE.findall(head)]
    plain = head.casefold()
    signals = {name: float(pattern.search(plain) is not None) for name, pattern in _load_patterns().items()}
    signals[_ANSWERS] = float(is_answer)
    signals[_LENGTH] = math.log1p(sum(map(len, sentences))) / 5
    return signals, find_grams(sentences)


@cache
def load_signals() -> dict[str, Row]:
    """Return the rows of the table of signals, by name. Each has a weight, and most have a pattern."""
    return {row.name: row for row in read_table(TABLE)}


@cache
def _load_patterns() -> dict[str, re.Pattern[str]]:
    return {name: lazy(row.contents.replace("\n", "|")) for name, row in load_signals().items() if row.contents}
