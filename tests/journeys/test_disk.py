"""The disk that a home takes, against the text in it."""

from __future__ import annotations

import os
import random
from pathlib import Path

import apsw

from limpet.clock import DAY_MS
from limpet.lean.record import replace
from limpet.store.open import Store
from limpet.text.embedding import load_embedding_table
from tests.model.making import admit, memory
from tests.store.acting import Clock
from tests.store.homes import open_store, segments, touch_index

COUNT = 400
FRESH, SEALED = 8.4, 6.5
"""A store this small has half-empty pages; `python -m benchmarks.bytes` measures a large one."""


def make_texts() -> list[str]:
    chance = random.Random("disk")
    table = load_embedding_table()
    data, base, offsets = table._map, table._words, table._offsets
    words = [data[base + offsets[n] : base + offsets[n + 1]].decode() for n in range(2000, 12_000)]
    words = [word for word in words if word.isalpha() and word.isascii() and len(word) > 2]
    return [" ".join(chance.choices(words, k=chance.randint(40, 60))) for _ in range(COUNT)]


def settle(store: Store, home: Path) -> None:
    store.reading()
    while store.has_missing_vectors():
        store.rest()
    store.close()
    touch_index(home)


def index_bytes(home: Path) -> int:
    """Return the bytes of the pages that hold something: an empty table has one page in a store of any size."""
    connection = apsw.Connection(str(home / "index.db"), flags=apsw.SQLITE_OPEN_READONLY)
    used = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE ncell > 0 OR pagetype <> 'leaf'").get
    connection.close()
    return int(used or 0)


def test_journal_and_index_take_few_times_the_bytes_of_the_text(home: Path) -> None:
    clock = Clock()
    texts = make_texts()
    drafted = [
        replace(memory(text), title=f"{text[:60]}…", subtitle=f"{text[60:180]}…", tags=tuple(text.split()[5:8]))
        for text in texts
    ]
    store = open_store(home, clock, segment_bytes=200_000)
    for number in range(0, COUNT, 50):
        store.append([admit(each) for each in drafted[number : number + 50]])
    settle(store, home)
    written = sum(len(text) for text in texts)
    fresh = sum(path.stat().st_size for path in segments(home)) + index_bytes(home)
    assert fresh / written < FRESH
    long_ago = (clock() - 30 * DAY_MS) * 1_000_000
    store = open_store(home, clock, segment_bytes=200_000)
    store.backup()
    for path in segments(home):
        os.utime(path, ns=(long_ago, long_ago))
    store.backup()
    settle(store, home)
    sealed = sum(path.stat().st_size for path in segments(home)) + index_bytes(home)
    assert sealed / written < SEALED
