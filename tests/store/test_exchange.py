"""Segments travel under a name of their own, and only whole lines of their device are taken."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.model.change import Change
from limpet.store.exchange import Exchange
from limpet.store.protocol import ReceivedSegment
from tests.model.making import admit, memory
from tests.store.acting import all_memories
from tests.store.homes import open_store, segments


def exchange_of(home: Path, *texts: str) -> Exchange:
    store = open_store(home)
    store.append([admit(memory(text)) for text in texts])
    return store.exchange()


def leave(exchange: Exchange, name: str, may_leave: Callable[[Change], bool] = lambda change: True) -> bytes:
    """Return what the machine leaves in an empty shared place."""
    data = exchange.combine(name, None, may_leave)
    assert data is not None
    return data


def receive(exchange: Exchange, name: str, data: bytes) -> ReceivedSegment:
    return exchange.receive(name, io.BytesIO(data))


def test_a_segment_is_named_by_its_first_record(tmp_path: Path) -> None:
    exchange = exchange_of(tmp_path, "one", "two")
    (name,) = exchange.names()
    assert name.startswith(f"{exchange.device}/000001-") and exchange.count(name) == 2
    assert leave(exchange, name) == segments(tmp_path)[0].read_bytes()


def test_a_withheld_line_has_the_same_length_and_no_text(tmp_path: Path) -> None:
    exchange = exchange_of(tmp_path, "one secret thing", "two")
    (name,) = exchange.names()
    data = leave(exchange, name, lambda change: "secret" not in str(change.payload))
    assert b"secret" not in data and b"two" in data
    assert [len(row) for row in data.split(b"\n")] == [len(row) for row in leave(exchange, name).split(b"\n")]
    found = exchange.compare(name, data)
    assert found is not None and found.withheld == 1


def test_what_is_received_is_kept_under_the_name_it_came_with(tmp_path: Path) -> None:
    source, target = exchange_of(tmp_path / "a", "one"), exchange_of(tmp_path / "b", "two")
    (name,) = source.names()
    assert receive(target, name, leave(source, name)) == ReceivedSegment(added=1)
    assert receive(target, name, leave(source, name)) == ReceivedSegment()
    assert (tmp_path / "b" / "journal" / name).read_bytes() == leave(source, name)
    assert len(target.names()) == 2


@pytest.mark.parametrize("damage", ["edited", "torn", "swapped"])
def test_nothing_after_a_damaged_line_is_taken(tmp_path: Path, damage: str) -> None:
    source, target = exchange_of(tmp_path / "a", "one", "two", "three"), exchange_of(tmp_path / "b", "mine")
    (name,) = source.names()
    rows = leave(source, name).splitlines(keepends=True)
    match damage:
        case "edited":
            rows[1] = rows[1].replace(b"two", b"too")
        case "torn":
            rows[1] = rows[1][:20] + b"\n"
        case _:
            rows[1:] = rows[:0:-1]
    assert receive(target, name, b"".join(rows)) == ReceivedSegment(added=1, waiting=True)


def test_another_beginning_under_the_same_name_is_refused(tmp_path: Path) -> None:
    source, target = exchange_of(tmp_path / "a", "one"), exchange_of(tmp_path / "b", "two")
    (name,) = source.names()
    other = f"{source.device}/000001-00000000.jsonl"
    assert "does not begin" in receive(target, other, leave(source, name)).refused
    assert "another device" in receive(target, f"d0123456789ab/{name.partition('/')[2]}", leave(source, name)).refused
    assert "name" in receive(target, "../../evil.jsonl", leave(source, name)).refused
    assert len(target.names()) == 1


def test_a_line_that_arrives_in_full_later_replaces_the_withheld_one(tmp_path: Path) -> None:
    source = exchange_of(tmp_path / "a", "one", "two")
    store = open_store(tmp_path / "b")
    (name,) = source.names()
    target = store.exchange()
    receive(target, name, leave(source, name, lambda change: "one" not in str(change.payload)))
    assert [each.memory.content for each in all_memories(store.reading()).values()] == ["two"]
    assert receive(target, name, leave(source, name)) == ReceivedSegment(fuller=1)
    assert len(all_memories(store.reading())) == 2
    assert receive(target, name, leave(source, name)) == ReceivedSegment()


def test_two_processes_that_take_the_same_segment_store_it_once(tmp_path: Path) -> None:
    source = exchange_of(tmp_path / "a", "one", "two")
    (name,) = source.names()
    store = open_store(tmp_path / "b")
    first, second = store.exchange(), store.exchange()
    for each in (first, second):
        each.names()
    receive(first, name, leave(source, name))
    receive(second, name, leave(source, name))
    assert (tmp_path / "b" / "journal" / name).read_bytes() == leave(source, name)
