"""A home with something in it, and the ways in which its files are damaged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from limpet.model.change import Change, ChangeKind
from limpet.model.query import Stored
from tests.model.making import admit, correction, fact, memory, on, state
from tests.store.acting import all_memories
from tests.store.homes import (
    open_store,
    rewrite,
    rows,
    touch_index,
)

Damage = Callable[[Path], None]


def fill_home(home: Path, count: int = 30) -> dict[str, Stored]:
    """Fill a home with some memories, all of them in the index file itself, and close it again."""
    store = open_store(home)
    many = [memory(f"number {number} speaks of limestone") for number in range(count)]
    store.append([admit(one) for one in many])
    store.append([admit(correction(many[0], "corrected")), on(many[1], ChangeKind.FORGET), state(fact("a", "b", "c"))])
    store.append([Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": "Anima"})])
    found = all_memories(store.reading())
    store.close()
    touch_index(home)
    # How the index looks now is what a Limpet would have written down.
    again = open_store(home)
    again.append([Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": "Anima"})])
    again.close()
    touch_index(home)
    return found


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    rewrite(path, b"")


def halve(path: Path) -> None:
    data = path.read_bytes()
    rewrite(path, data[: len(data) // 2])


def cut_a_page(path: Path) -> None:
    rewrite(path, path.read_bytes()[:-4096])


def zero(path: Path) -> None:
    rewrite(path, bytes(path.stat().st_size))


def write_text_over(path: Path) -> None:
    rewrite(path, b"this is not a database\n" * 100)


def clear_header(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)
    rewrite(path, bytes(data))


def change_a_word(path: Path) -> None:
    """Change one bit inside the text of a row: SQLite itself sees nothing wrong."""
    _change_lines(path, 1)


def change_every_word(path: Path) -> None:
    _change_lines(path, 1_000_000)


def _change_lines(path: Path, limit: int) -> None:
    connection = apsw.Connection(f"file:{path}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    lines: list[Any] = connection.execute("SELECT line FROM change LIMIT ?", (limit,)).fetchall()
    connection.close()
    data = bytearray(path.read_bytes())
    for (line,) in lines:
        data[data.index(line) + len(line) // 2] ^= 16
    assert lines
    rewrite(path, bytes(data))


def change_a_letter(path: Path) -> None:
    """Change a letter in the middle: still a record, but its payload does not fit its hash."""
    data = path.read_bytes()
    place = data.index(b"limestone", len(data) // 3)
    rewrite(path, data[:place] + b"L" + data[place + 1 :])


def flip_the_last_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    rewrite(path, bytes(data))


def remove_a_line(path: Path) -> None:
    found = rows(path)
    rewrite(path, b"".join(found[:5] + found[6:]))


INDEX_DAMAGE = [delete, empty, halve, cut_a_page, zero, write_text_over, clear_header, change_a_word, change_every_word]


JOURNAL_DAMAGE = [
    delete,
    empty,
    halve,
    zero,
    write_text_over,
    change_a_letter,
    flip_the_last_byte,
    remove_a_line,
    clear_header,
]
