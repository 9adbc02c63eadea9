"""`python -m benchmarks.bytes [10000]`: the disk that a home takes, part by part, against the text in it.

The memories have tags and, every second one, a title; the others get one from their text. The index is taken apart by
table and index.
"""

from __future__ import annotations

import os
import sys

import apsw

from benchmarks.store import Filler, size_of, surroundings
from benchmarks.table import Target, row, show
from limpet.api import Limpet
from limpet.store.open import JournalStore

FRESH = Target(9)
SMALLEST = 0.005
"""Parts that take less than this share of the text are added up in one line."""


def main() -> None:
    size = int(sys.argv[1].replace("_", "")) if sys.argv[1:] else 10_000
    with surroundings() as folder:
        home = os.path.join(folder, "home")
        filler = Filler(home)
        filler.fill(size)
        filler.settle()
        back_up(home)
        show(
            f"Bytes of {size:,} memories, {filler.bytes / size:.0f} bytes of text each",
            ["", "MB", "× text"],
            [
                *_measure_index(home, filler.bytes),
                *_measure_files(home, filler.bytes),
            ],
        )


def back_up(home: str) -> None:
    """Make a backup of the journal now."""
    with Limpet(home=home) as memory:
        memory.stats()
        store = memory._runtime.store
        assert isinstance(store, JournalStore)
        store.backup()


def _measure_index(home: str, text: int) -> list[tuple[str, ...]]:
    """Return the tables and indexes of the index, the largest first."""
    connection = apsw.Connection(os.path.join(home, "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    found = [
        (f"index: {name}", int(size or 0))
        for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC")
    ]
    connection.close()
    large = [(name, size) for name, size in found if size >= SMALLEST * text]
    rest = sum(size for _, size in found) - sum(size for _, size in large)
    return [_row(name, size, text) for name, size in (*large, ("index: the rest", rest))]


def _measure_files(home: str, text: int) -> list[tuple[str, ...]]:
    journal, index, backup = (size_of(home, name) for name in ("journal", "index.db", "backups"))
    return [
        _row("index", index, text),
        _row("journal", journal, text),
        _row("backup", backup, text),
        _row("S10 journal and index, fresh", journal + index, text, FRESH),
        _row("with the backup", journal + index + backup, text),
    ]


def _row(what: str, size: int, text: int, target: Target | None = None) -> tuple[str, ...]:
    return row(what, f"{size / 1e6:.2f}", f"{size / text:.2f}", target=target, value=size / text)


if __name__ == "__main__":
    main()
