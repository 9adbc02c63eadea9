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
from limpet.clock import DAY_MS
from limpet.system import walk_files

FRESH, SEALED = Target(9), Target(6)
SMALLEST = 0.005
"""Parts that take less than this share of the text are added up in one line."""


def main() -> None:
    size = int(sys.argv[1].replace("_", "")) if sys.argv[1:] else 10_000
    with surroundings() as folder:
        home = os.path.join(folder, "home")
        filler = Filler(home)
        filler.fill(size)
        filler.settle()
        fresh = measure(home)
        tables = _measure_tables(home, filler.bytes)
        log = os.path.getsize(os.path.join(home, "index.db-wal"))
        tables.append(row("index: its log", _ratio(log, filler.bytes), ""))
        age_segments(home)
        back_up(home)
        sealed = measure(home)
        text = filler.bytes
        show(
            f"Bytes of {size:,} memories with {text / size:.0f} bytes of text each, against the text",
            ["", "fresh", "sealed"],
            [
                *tables,
                *(row(name, _ratio(fresh[name], text), _ratio(sealed[name], text)) for name in fresh),
                _total("S10 journal and index, fresh", fresh, text, FRESH),
                _total("S10 journal and index, sealed", sealed, text, SEALED),
                _total("with the backup, sealed", sealed, text, None, "backups"),
            ],
        )


def measure(home: str) -> dict[str, int]:
    """Return the bytes of the parts of a home."""
    return {name: size_of(home, name) for name in ("journal", "index.db", "backups")}


def age_segments(home: str) -> None:
    """Make all segments so old that the next backup seals them."""
    back_up(home)
    for path in walk_files(os.path.join(home, "journal")):
        long_ago = os.stat(path).st_mtime_ns - 30 * DAY_MS * 1_000_000
        os.utime(path, ns=(long_ago, long_ago))


def back_up(home: str) -> None:
    """Make a backup of the journal now."""
    with Limpet(home=home) as memory:
        memory.stats()
        store = memory._runtime.store
        store.backup()


def _measure_tables(home: str, text: int) -> list[tuple[str, ...]]:
    """Return the tables and indexes of the index, the largest first."""
    connection = apsw.Connection(os.path.join(home, "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    found = [
        (f"index: {name}", int(size or 0))
        for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC")
    ]
    connection.close()
    large = [(name, size) for name, size in found if size >= SMALLEST * text]
    rest = sum(size for _, size in found) - sum(size for _, size in large)
    return [row(name, _ratio(size, text), "") for name, size in (*large, ("index: the rest", rest))]


def _total(what: str, sizes: dict[str, int], text: int, target: Target | None, *more: str) -> tuple[str, ...]:
    total = sum(sizes[name] for name in ("journal", "index.db", *more))
    cells = (_ratio(total, text), "") if target is FRESH else ("", _ratio(total, text))
    return row(what, *cells, target=target, value=total / text)


def _ratio(size: int, text: int) -> str:
    return f"{size / text:.2f} ×"


if __name__ == "__main__":
    main()
