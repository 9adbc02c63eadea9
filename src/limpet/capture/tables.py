"""Read the tables of capture: cues, word lists and weights, plain text beside the code that uses them.

A table is a list of rows with a blank line between them:

    name 1.5
        words and phrases
    + a text that the row applies to
    - a text that it does not apply to

A row has a number if rows are added up, and indented lines if it has contents. Lines that begin with `#` are comments.
The tests run every example.
"""

from __future__ import annotations

import os
from functools import cache

from limpet.lean.record import record

__all__ = ["Row", "load_table", "word_list"]

_FOLDER = os.path.dirname(__file__)


@record
class Row:
    """One row of a table, with texts that it applies to and texts that it does not."""

    name: str
    weight: float
    contents: str
    applies_to: tuple[str, ...]
    ignores: tuple[str, ...]


@cache
def load_table(name: str) -> dict[str, Row]:
    """Return the rows of a table by name, in their order; `name` is its path below this folder, without suffix."""
    with open(os.path.join(_FOLDER, f"{name}.table"), encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    rows = [_row(lines) for lines in map(_without_comments, blocks) if lines]
    return {row.name: row for row in rows}


@cache
def word_list(table: str, name: str) -> frozenset[str]:
    """Return the words of one row of a table."""
    return frozenset(load_table(table)[name].contents.split())


def _without_comments(block: str) -> list[str]:
    return [line for line in block.splitlines() if line and not line.startswith("#")]


def _row(lines: list[str]) -> Row:
    name, weight = _heading(lines[0])
    return Row(
        name=name,
        weight=weight,
        contents="\n".join(line.strip() for line in lines if line.startswith("    ")),
        applies_to=tuple(line[2:] for line in lines if line.startswith("+ ")),
        ignores=tuple(line[2:] for line in lines if line.startswith("- ")),
    )


def _heading(line: str) -> tuple[str, float]:
    name, _, number = line.rpartition(" ")
    is_number = number.removeprefix("-").replace(".", "", 1).isdecimal()
    return (name, float(number)) if is_number else (line, 0.0)
