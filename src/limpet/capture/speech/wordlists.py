"""The word lists that tell apart what people and agents say, read from `words.table`."""

from __future__ import annotations

from limpet.capture.tables import load_table, word_list

__all__ = ["TABLE", "load_phrases", "load_words"]

TABLE = "speech/words"


def load_words(name: str) -> frozenset[str]:
    """Return a list of words."""
    return word_list(TABLE, name)


def load_phrases(name: str) -> tuple[str, ...]:
    """Return a list of phrases."""
    contents = load_table(TABLE)[name].contents.replace("\n", " ")
    return tuple(phrase.strip() for phrase in contents.split(" | "))
