"""Tell whether a sentence or a text is a question."""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences

QUESTION_ENDS = ("?", "？", "吗", "ですか", "ますか", "でしょうか", "のか")
"""The possible endings of a question, before closing quotes, brackets and markup."""
_AFTER = " \"')*_`。\n"
"""The characters that may follow the ending of a question: quotes, brackets and markup."""
_NUMBER = lazy(r"^\s*+\(?\w[.):]\s+")
"""The number or letter before an option, which must not be taken for a sentence."""
_TAIL = 600
_LAST = 3


def is_question(sentence: str) -> bool:
    """Tell whether a sentence is a question."""
    return sentence.rstrip(_AFTER).endswith(QUESTION_ENDS)


def only_asks(text: str) -> bool:
    """Tell whether every sentence of a text is a question; return False for an empty text."""
    sentences = [sentence for line in text.split("\n") for sentence in split_sentences(line)]
    return bool(sentences) and all(is_question(sentence) for sentence in sentences)


def ends_with_question(text: str) -> bool:
    """Tell whether one of the last three sentences of a message is a question, which the next message may answer."""
    lines = (_NUMBER.sub("", line) for line in text[-_TAIL:].split("\n"))
    sentences = [sentence for line in lines for sentence in split_sentences(line)]
    return any(is_question(sentence) for sentence in sentences[-_LAST:])
