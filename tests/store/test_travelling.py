"""What was compared of a segment is skipped, unless the segment was changed in another way than by appending."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet.store.exchange import Exchange
from limpet.store.open import Store
from limpet.store.protocol import ComparedSegment
from tests.model.making import admit, memory
from tests.store.homes import open_store, segments


def begin(home: Path) -> tuple[Store, str, ComparedSegment]:
    """Return a store with three changes, and what is remembered once all of them were compared."""
    store = open_store(home)
    store.append([admit(memory(text)) for text in ("one", "two", "three")])
    exchange = store.exchange()
    (name,) = exchange.names()
    data = exchange.combine(name, None, lambda change: True)
    assert data is not None
    compared = exchange.compare(name, data)
    assert compared is not None
    return store, name, compared


def resume(store: Store, name: str, compared: ComparedSegment) -> Exchange:
    exchange = store.exchange()
    exchange.resume({name: compared})
    return exchange


def test_an_unchanged_segment_has_no_news(tmp_path: Path) -> None:
    store, name, compared = begin(tmp_path)
    exchange = resume(store, name, compared)
    assert exchange.names() == (name,) and exchange.count(name) == 3
    assert exchange.compared(name) == compared and not exchange.has_news(name)


def test_of_a_longer_segment_only_the_end_is_read(tmp_path: Path) -> None:
    store, name, compared = begin(tmp_path)
    store.append([admit(memory("four"))])
    exchange = resume(store, name, compared)
    assert exchange.compared(name) == compared and exchange.has_news(name)
    assert exchange.count(name) == 4
    (segment,) = exchange._segments.find().values()
    assert [b"four" in row for row in exchange._segments.read(segment)] == [True]


@pytest.mark.parametrize("change", ["touched", "shortened", "replaced", "gone", "copied"])
def test_any_other_change_makes_it_read_all(tmp_path: Path, change: str) -> None:
    store, name, compared = begin(tmp_path)
    (path,) = segments(tmp_path)
    rows = path.read_bytes().splitlines(keepends=True)
    match change:
        case "touched":
            path.write_bytes(b"".join(rows))
        case "shortened":
            path.write_bytes(b"".join(rows[:2]))
        case "replaced":
            path.write_bytes(b"".join(rows[:2]) + rows[2].replace(b"three", b"seven"))
        case "gone":
            path.unlink()
        case _:
            path.with_name(name.partition("/")[2]).write_bytes(b"".join(rows[:1]))
    if path.exists():
        # Two writes in a row may have the same time.
        os.utime(path, ns=(1, 1))
    exchange = Exchange(store._context, store._current.get)
    exchange.resume({name: compared})
    assert exchange.compared(name) is None
    assert exchange.count(name) == {"shortened": 2, "replaced": 2, "gone": 0}.get(change, 3)
