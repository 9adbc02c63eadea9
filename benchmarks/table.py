"""Print measurements as an aligned table, each with its target and whether it was reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """An upper or lower bound of a number, in the unit in which it is shown."""

    bound: float
    unit: str = "×"
    at_least: bool = False

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:,g} {self.unit}".rstrip()

    def verdict(self, value: float) -> str:
        return "ok" if (value >= self.bound if self.at_least else value <= self.bound) else "MISSED"


def row(what: str, *cells: str, target: Target | None = None, value: float | None = None) -> tuple[str, ...]:
    """Return one row; `value` is compared with the target."""
    if target is None or value is None:
        return (what, *cells, "", "")
    return (what, *cells, str(target), target.verdict(value))


def show(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: the first column is text, aligned left, the others are numbers, aligned right."""
    table = [[*headings, "target", "verdict"], *map(list, rows)]
    columns = len(table[0])
    padded = [[*line[:-2], *[""] * (columns - len(line)), *line[-2:]] for line in table]
    widths = [max(len(line[column]) for line in padded) for column in range(columns)]
    print(f"\n{title}")
    for number, line in enumerate(padded):
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
