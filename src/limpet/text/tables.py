"""Read table files (word lists, rules and weights), which are beside the code that uses them.

A table is a text file with rows that are separated by blank lines:

    name 1.5
        words, phrases or a pattern
    + a text that the row applies to
    - a text that it does not apply to

The number is the weight of the row; it may be missing. Lines that begin with `#` are comments. The tests check all
examples.

A file of fitted weights has one byte for each weight. Its first line is a JSON object that states how the weights were
fitted, and how well they work on texts that were not used for fitting.
"""

from __future__ import annotations

import os

from limpet.lean import quickjson
from limpet.lean.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = os.path.dirname(os.path.dirname(__file__))


@record
class Row:
    """One row of a table."""

    name: str
    weight: float
    """The weight of the row, or 0 if it has none."""
    contents: str
    """The indented lines of the row."""
    applies_to: tuple[str, ...]
    """Examples of texts that the row applies to."""
    ignores: tuple[str, ...]
    """Examples of texts that the row does not apply to."""


def table_path(path: str) -> str:
    """Return the absolute path of a table; `path` is its path in the package, with slashes."""
    return os.path.join(_PACKAGE, *path.split("/"))


def read_weights(path: str) -> tuple[dict[str, Any], memoryview[int]]:
    """Read a file of fitted weights; return its header, and the weights as integers from -128 to 127.

    `path` is its path in the package, with slashes.
    """
    with open(table_path(path), "rb") as file:
        header: dict[str, Any] = quickjson.loads(file.readline())
        return header, memoryview(file.read()).cast("b")


def read_table(path: str) -> tuple[Row, ...]:
    """Read a table and return its rows in file order; `path` is its path in the package, with slashes."""
    with open(table_path(path), encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    rows = ([line for line in block.splitlines() if line and not line.startswith("#")] for block in blocks)
    return tuple(_parse_row(lines) for lines in rows if lines)


def _parse_row(lines: list[str]) -> Row:
    name, _, number = lines[0].rpartition(" ")
    has_weight = number.removeprefix("-").replace(".", "", 1).isdecimal()
    return Row(
        name=name if has_weight else lines[0],
        weight=float(number) if has_weight else 0.0,
        contents="\n".join(_select_lines(lines, "    ")),
        applies_to=tuple(_select_lines(lines, "+ ")),
        ignores=tuple(_select_lines(lines, "- ")),
    )


def _select_lines(lines: list[str], start: str) -> list[str]:
    return [line.removeprefix(start) for line in lines if line.startswith(start)]
