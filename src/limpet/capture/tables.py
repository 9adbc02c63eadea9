"""Load the tables that capture uses: cue phrases, word lists and weights. `text/tables.py` describes their format."""

from __future__ import annotations

from functools import cache

from limpet.text.tables import Row, read_table


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
