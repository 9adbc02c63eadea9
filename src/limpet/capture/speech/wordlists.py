"""The word lists by which statements of people and agents are recognised, read from `words.table`."""

from __future__ import annotations

from limpet.capture.tables import load_table, word_list

__all__ = ["TABLE", "load_phrases", "load_words"]

TABLE = "speech/words"


def load_words(name: str) -> frozenset[str]:
    """Return the words of one list of the table."""
    return word_list(TABLE, name)


def load_phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of one list of the table."""
    contents = load_table(TABLE)[name].contents.replace("\n", " ")
    return tuple(phrase.strip() for phrase in contents.split(" | "))
