"""The index is a view: built anew it says the same, and one of another version is built anew or left alone."""

from __future__ import annotations

import gc
import random
import zlib
from pathlib import Path

import apsw
import pytest

from limpet.errors import StoreNewer
from limpet.model.change import ChangeKind
from limpet.settings import StoreSettings
from limpet.store import open as stores
from limpet.store.journal import line as lines
from limpet.store.view.open import VERSION
from tests.model.making import admit, memory, on
from tests.store.acting import Actor, Clock, all_memories, expected_states
from tests.store.homes import (
    integrity,
    make_known,
    only_segment,
    open_store,
    remove_index,
    segments,
    tables,
    touch_index,
)


@pytest.mark.parametrize("seed", range(2))
def test_an_index_built_anew_equals_the_one_that_lived(home: Path, seed: int) -> None:
    clock = Clock()
    store = open_store(home, clock, segment_bytes=40_000)
    actor = Actor(store, clock, random.Random(seed))
    actor.act(300)
    live = tables(store)
    then = expected_states(actor.kept)
    assert {name: (each.memory, each.status) for name, each in all_memories(store.reading()).items()} == {
        name: (each.memory, each.status) for name, each in then.items()
    }
    store.close()
    remove_index(home)
    again = open_store(home, clock)
    rebuilt = tables(again)
    for name, rows in live.items():
        assert rebuilt[name] == rows, name
    assert live["purged"] and live["descent"] and live["access"]
    assert again.verify().problems == []
    assert integrity(home) == "ok"


def test_the_log_stays_short_while_an_index_is_built(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limpet.store.view.apply.BATCH", 20)
    monkeypatch.setattr("limpet.store.context._LOG_BYTES", 1 << 16)
    store = open_store(home)
    store.append([admit(memory(f"memory {number} of many " + "with words " * 40)) for number in range(400)])
    store.close()
    remove_index(home)
    logs: list[int] = []
    log = home / "index.db-wal"
    stores.open_store(
        str(home), settings=StoreSettings(), now_ms=Clock(), progress=lambda *_: logs.append(log.stat().st_size)
    ).reading()
    assert len(logs) >= 20
    assert max(logs) < (home / "index.db").stat().st_size / 4


def test_garbage_is_collected_as_before_after_an_index_is_built(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    store.close()
    remove_index(home)
    before = gc.get_threshold()
    try:
        gc.set_threshold(600, 7, 8)
        assert len(all_memories(open_store(home).reading())) == 1
        assert gc.get_threshold() == (600, 7, 8)
    finally:
        gc.set_threshold(*before)


def test_an_index_read_from_several_segments_in_any_order_is_the_same(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock, segment_bytes=6_000)
    Actor(store, clock, random.Random(7)).act(150)
    live = tables(store)
    store.close()
    # The same segments under names that are read in another order.
    found = segments(home)
    assert len(found) > 4
    for number, path in enumerate(reversed(found)):
        path.rename(path.with_name(f"1{number:05d}.jsonl"))
    remove_index(home)
    (home / "marks.json").unlink()
    again = tables(open_store(home, clock))
    for name, rows in live.items():
        assert again[name] == rows, name


def test_nothing_is_said_when_a_store_is_new(home: Path) -> None:
    store = open_store(home)
    store.reading()
    assert store.notices == []
    assert open_store(home).notices == []


def newer_index(home: Path) -> None:
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute(f"PRAGMA user_version={VERSION + 1}")
    connection.close()


def newer_record(home: Path) -> None:
    """Another device, whose Limpet is newer, has written something."""
    row = only_segment(home).read_bytes().splitlines()[0]
    head, _ = lines.split(row)
    changed = head.replace(b'"v":%d' % lines.FORMAT, b'"v":%d' % (lines.FORMAT + 1))
    folder = home / "journal" / "d00000000000f"
    folder.mkdir()
    (folder / "000001.jsonl").write_bytes(b"%08x %s\t{}\n" % (zlib.crc32(changed), changed))
    make_known(home, home)


@pytest.mark.parametrize("newer", [newer_index, newer_record])
@pytest.mark.parametrize("first", ["read", "write"])
def test_a_newer_store_is_read_and_not_written(home: Path, newer: object, first: str) -> None:
    one = memory()
    store = open_store(home)
    store.append([admit(one)])
    store.close()
    assert callable(newer)
    newer(home)
    touch_index(home)
    before = {path: path.read_bytes() for path in (*segments(home), home / "index.db")}
    for _ in range(2):
        again = open_store(home)
        if first == "read":
            assert set(all_memories(again.reading())) == {one.id}
        for write in (again.append, again.purge):
            with pytest.raises(StoreNewer, match=r"newer Limpet.*upgrade"):
                write([on(one, ChangeKind.FORGET)])
        with pytest.raises(StoreNewer):
            again.mend()
        assert set(all_memories(again.reading())) == {one.id}
        assert [notice for notice in again.notices if "newer Limpet" in notice]
        again.close()
    assert {path: path.read_bytes() for path in before} == before


def test_everything_old_is_read_beside_something_newer(home: Path) -> None:
    many = [memory(f"number {number}") for number in range(5)]
    store = open_store(home)
    store.append([admit(one) for one in many])
    newer_record(home)
    assert set(all_memories(store.reading())) == {one.id for one in many}
    with pytest.raises(StoreNewer):
        store.append([admit(memory("more"))])


def test_a_hurried_reader_applies_only_so_much(home: Path) -> None:
    store = open_store(home, hook_apply_changes=10)
    store.append([admit(memory("seed"))])
    hurried = open_store(home, hurried=True, hook_apply_changes=10, hook_apply_ms=10_000)
    hurried.reading()
    for _ in range(3):
        hurried.append([admit(memory(f"number {number}")) for number in range(10)])
    counts = [len(all_memories(hurried.reading())) for _ in range(4)]
    assert counts == [11, 21, 31, 31]
    assert len(all_memories(open_store(home).reading())) == 31


def test_a_hurried_reader_applies_only_so_much_of_all_segments_together(home: Path) -> None:
    open_store(home).append([admit(memory("seed"))])
    writer = open_store(home, hurried=True, hook_apply_changes=0, segment_bytes=1024)
    for batch in range(4):
        writer.append([admit(memory(f"number {batch}{number}")) for number in range(6)])
    assert len(segments(home)) > 3
    hurried = open_store(home, hurried=True, hook_apply_changes=10, hook_apply_ms=10_000)
    assert [len(all_memories(hurried.reading())) for _ in range(4)] == [11, 21, 25, 25]


def test_a_hurried_reader_without_an_index_loses_nothing_for_the_others(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory(f"number {number}")) for number in range(50)])
    store.backup()
    store.close()
    remove_index(home)
    hurried = open_store(home, hurried=True, hook_apply_changes=10)
    assert len(all_memories(hurried.reading())) <= 50
    assert not any("lost" in notice and "nothing is lost" not in notice for notice in hurried.notices)
    hurried.close()
    again = open_store(home)
    assert len(all_memories(again.reading())) == 50
    assert again.verify().problems == []
    assert not any("had lost" in notice for notice in again.notices)
    assert len(segments(home)) == 1


def test_the_index_that_a_hook_makes_in_a_new_home_is_finished(home: Path) -> None:
    hurried = open_store(home, hurried=True)
    hurried.reading()
    hurried.append([admit(memory("the first of all"))])
    hurried.close()
    store = open_store(home)
    assert len(all_memories(store.reading())) == 1 and store.notices == []
