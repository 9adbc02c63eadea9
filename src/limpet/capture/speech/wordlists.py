"""Load the word lists of `words.table`, which help to recognise what people and agents state."""

from __future__ import annotations

from limpet.capture.tables import load_table, word_list

TABLE = "speech/words"


def load_words(name: str) -> frozenset[str]:
    """Return the words of the list with this name."""
    return word_list(TABLE, name)


def load_phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of the list with this name."""
    contents = load_table(TABLE)[name].contents.replace("\n", " ")
    return tuple(phrase.strip() for phrase in contents.split(" | "))
