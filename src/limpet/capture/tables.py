"""Load the tables that capture uses: cue phrases, word lists and weights. `text/tables.py` describes their format."""

from __future__ import annotations

from functools import cache

from limpet.text.tables import Row, read_table

WORDS = "speech/words"


@cache
def load_table(name: str) -> dict[str, Row]:
    """Return the rows of a table by row name, in the order of the file.

    `name` is the path of the table below this folder, without its suffix.
    """
    return {row.name: row for row in read_table(f"capture/{name}.table")}


@cache
def word_list(table: str, name: str) -> frozenset[str]:
    """Return the words of one row of a table."""
    return frozenset(load_table(table)[name].contents.split())


def load_words(name: str) -> frozenset[str]:
    """Return the words of a list in `speech/words.table`, which help to recognise what people and agents state."""
    return word_list(WORDS, name)


def load_phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of a list in `speech/words.table`."""
    contents = load_table(WORDS)[name].contents.replace("\n", " ")
    return tuple(phrase.strip() for phrase in contents.split(" | "))
