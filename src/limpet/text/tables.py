"""Read table files: cues, word lists, weights and rules, as plain text beside the code that uses them.

A table is a list of rows with a blank line between them:

    name 1.5
        words, phrases or a pattern
    + a text that the row applies to
    - a text that it does not apply to

A row has a number if rows are added up. Lines that begin with `#` are comments. The tests run every example.

Weights that a script has fitted are a file of bytes, one per weight. Its first line is a JSON object that says how they
were fitted, and how well they do on texts that they were not fitted to.
"""

from __future__ import annotations

import os

from limpet.lean import quickjson
from limpet.lean.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Row", "read_table", "read_weights", "table_path"]

_PACKAGE = os.path.dirname(os.path.dirname(__file__))


@record
class Row:
    """One row of a table, with texts that it applies to and texts that it does not."""

    name: str
    weight: float
    contents: str
    applies_to: tuple[str, ...]
    ignores: tuple[str, ...]


def table_path(path: str) -> str:
    """Return the path of a table; `path` is its path in the package, with slashes."""
    return os.path.join(_PACKAGE, *path.split("/"))


def read_weights(path: str) -> tuple[dict[str, Any], memoryview[int]]:
    """Return the header of a file of weights, and the weights as integers from -128 to 127."""
    with open(table_path(path), "rb") as file:
        header: dict[str, Any] = quickjson.loads(file.readline())
        return header, memoryview(file.read()).cast("b")


def read_table(path: str) -> tuple[Row, ...]:
    """Return the rows of a table in their order; `path` is the path of its file in the package."""
    with open(table_path(path), encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    rows = ([line for line in block.splitlines() if line and not line.startswith("#")] for block in blocks)
    return tuple(_parse_row(lines) for lines in rows if lines)


def _parse_row(lines: list[str]) -> Row:
    name, weight = _parse_heading(lines[0])
    return Row(
        name=name,
        weight=weight,
        contents="\n".join(_select_lines(lines, "    ")),
        applies_to=tuple(_select_lines(lines, "+ ")),
        ignores=tuple(_select_lines(lines, "- ")),
    )


def _select_lines(lines: list[str], start: str) -> list[str]:
    return [line.removeprefix(start) for line in lines if line.startswith(start)]


def _parse_heading(line: str) -> tuple[str, float]:
    name, _, number = line.rpartition(" ")
    is_number = number.removeprefix("-").replace(".", "", 1).isdecimal()
    return (name, float(number)) if is_number else (line, 0.0)
