"""Find the sentence of a text that answers a question, and tell whether another text says the same."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences
from limpet.text.lexicon import match_terms, parse_terms
from limpet.text.negation import has_denial
from limpet.text.words import STOP, split_words

_SAME = 0.8
"""Two sentences say the same only if one contains at least this share of the words of the other."""
_VALUE = lazy(r"[^\W\d_]*+\d\w*+|[^\W_]*+_\w*+|[a-z]++[A-Z]\w*+")
"""A value: a number or a name. Two sentences say the same only if they have the same values."""


def find_answer(text: str, question: str) -> str:
    """Return the sentence of `text` that contains the most words of `question`; if several do, return the first."""
    terms = parse_terms(question)
    sentences = _split(text) or [text]
    counts = [sum(match_terms(terms, sentence)) for sentence in sentences]
    return sentences[counts.index(max(counts))]


def says(text: str, sentence: str) -> bool:
    """Tell whether a text contains a sentence, or one with the same numbers and names and nearly the same words."""
    if " ".join(sentence.split()).casefold() in " ".join(text.split()).casefold():
        return True
    words, values = set(split_words(sentence)) - STOP, set(_VALUE.findall(sentence))
    denies = has_denial(split_words(sentence))
    for each in _split(text):
        own = split_words(each)
        is_same = values <= set(_VALUE.findall(each)) and denies == has_denial(own)
        if is_same and len(words.intersection(own)) >= _SAME * len(words):
            return True
    return False


def keep_answers(text: str, sentences: Iterable[str]) -> str:
    """Return a shortened text, followed by those of `sentences` that it no longer says (see `says`)."""
    lost = [sentence for sentence in sentences if not says(text, sentence)]
    return "\n".join((text, *lost)) if lost else text


def _split(text: str) -> list[str]:
    lines = (line.strip().lstrip("-*# ") for line in text.splitlines())
    return [sentence for line in lines if line for sentence in split_sentences(line)]
