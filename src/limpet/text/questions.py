"""Tell whether a text asks something."""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences

QUESTION_ENDS = ("?", "？", "吗", "ですか", "ますか", "でしょうか", "のか")
"""What a question ends with, once what may follow it is stripped."""
_AFTER = " \"')*_`。\n"
"""Characters that may follow the end of a question: quotes, brackets and markup."""
_NUMBER = lazy(r"^\s*+\(?\w[.):]\s+")
"""The number or letter of an option, whose dot does not end a sentence."""
_TAIL = 600
_LAST = 3


def is_question(sentence: str) -> bool:
    """Tell whether a sentence is a question."""
    return sentence.rstrip(_AFTER).endswith(QUESTION_ENDS)


def only_asks(text: str) -> bool:
    """Tell whether every sentence of a text is a question, so that the text itself answers nothing."""
    sentences = [sentence for line in text.split("\n") for sentence in split_sentences(line)]
    return bool(sentences) and all(is_question(sentence) for sentence in sentences)


def ends_with_question(text: str) -> bool:
    """Tell whether one of the last sentences of a message asks something, so that the next message may answer it."""
    lines = (_NUMBER.sub("", line) for line in text[-_TAIL:].split("\n"))
    sentences = [sentence for line in lines for sentence in split_sentences(line)]
    return any(is_question(sentence) for sentence in sentences[-_LAST:])
