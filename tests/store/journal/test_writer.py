"""Segments have one chain each, and what is written to them is synced before it is acknowledged.

A device keeps its id; a home that was copied or moved becomes a new device.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from limpet import clock as clocks
from limpet import system
from limpet.errors import StoreError
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import ms_of, stamp
from limpet.store.journal import line as lines
from limpet.store.journal.mend import check_segment
from limpet.store.journal.writer import Writer, load_device_id
from tests.model.making import admit, correction, memory, on
from tests.store.acting import Clock, all_memories
from tests.store.homes import assert_chained, copy_journal, only_segment, open_store, remove_index, rows, segments


def test_a_change_is_one_line_of_its_device_s_own_segment(home: Path) -> None:
    store = open_store(home)
    (kept,) = store.append([admit(memory())])
    path = only_segment(home)
    assert (path.parent.name, path.name) == (kept.device, "000001.jsonl")
    (row,) = rows(path)
    header, _ = lines.header_of(row[:-1])
    assert (header["id"], header["dev"], header["verb"]) == (kept.id, kept.device, "admit")


def test_the_records_of_a_segment_form_a_chain(home: Path) -> None:
    first, second = open_store(home), open_store(home)
    for number in range(6):
        (first, second)[number % 2].append([admit(memory(f"m{number}")), admit(memory(f"n{number}"))])
    open_store(home).append([admit(memory("last"))])
    assert len(rows(only_segment(home))) == 13
    assert_chained(only_segment(home))


def test_a_segment_that_is_full_is_followed_by_another(home: Path) -> None:
    store = open_store(home, segment_bytes=2048)
    many = [memory(f"number {number} " + "x" * 200) for number in range(20)]
    for one in many:
        store.append([admit(one)])
    found = segments(home)
    assert len(found) > 3
    for path in found:
        assert_chained(path)
        assert path.stat().st_size < 2048 + 2000
    assert set(all_memories(store.reading())) == {one.id for one in many}
    assert store.verify().problems == []


def test_a_segment_in_use_is_left_to_its_writer(home: Path) -> None:
    store = open_store(home)
    (kept,) = store.append([admit(memory("one"))])
    lock = system.try_lock(str(home / "locks" / f"{kept.device}.000001"))
    assert lock is not None
    try:
        store.append([admit(memory("two"))])
    finally:
        system.unlock(lock)
    store.append([admit(memory("three"))])
    assert [len(rows(path)) for path in segments(home)] == [2, 1]
    assert len(all_memories(store.reading())) == 3


def test_lock_files_lie_outside_the_journal(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory())])
    store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": []})], durable=False)
    assert all(path.suffix == ".jsonl" for path in (home / "journal").rglob("*") if path.is_file())
    assert {path.name.partition(".")[2] or path.name for path in (home / "locks").iterdir()} == {
        "apply",
        "000001",
        "r000001",
    }


# Syncing


def count_syncs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []
    honest_data, honest_folder = system.sync_data, system.sync_directory

    def data(fd: int) -> None:
        calls.append("data")
        honest_data(fd)

    def folder(path: str) -> None:
        calls.append("folder")
        honest_folder(path)

    monkeypatch.setattr(system, "sync_data", data)
    monkeypatch.setattr(system, "sync_directory", folder)
    return calls


def test_a_write_is_synced_once_however_many_changes_it_has(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(home)
    store.append([admit(memory())])
    calls = count_syncs(monkeypatch)
    store.append([admit(memory(f"m{number}")) for number in range(10)])
    assert calls == ["data"]


def test_a_new_segment_is_made_durable_with_its_folders(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(home)
    store.reading()
    calls = count_syncs(monkeypatch)
    store.append([admit(memory())])
    assert calls.count("folder") >= 2
    assert "data" in calls


def test_receipts_are_never_synced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = memory()
    store = open_store(home)
    store.append([admit(one)])
    calls = count_syncs(monkeypatch)
    for _ in range(3):
        store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})], durable=False)
    assert calls == []
    found = store.reading().get(one.id)
    assert found is not None and found.standing.access_count == 3
    assert len(segments(home, "r")) == 1


def test_a_write_that_fails_leaves_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(home)
    kept, lost, after = memory("kept"), memory("lost"), memory("after")
    store.append([admit(kept)])
    before = only_segment(home).read_bytes()

    def fail(fd: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(system, "sync_data", fail)
        with pytest.raises(StoreError, match="no space left"):
            store.append([admit(lost)])
    assert only_segment(home).read_bytes() == before
    store.append([admit(after)])
    assert set(all_memories(store.reading())) == {kept.id, after.id}
    assert_chained(only_segment(home))


# Torn tails


def tear_at(home: Path, whole: bytes, length: int) -> None:
    """Cut the last write of a segment short: it was never acknowledged, and no index or high-water mark knows it."""
    shutil.rmtree(home / "damaged", ignore_errors=True)
    remove_index(home)
    (home / "marks.json").unlink(missing_ok=True)
    only_segment(home).write_bytes(whole[:length])


def test_a_write_cut_at_any_byte_harms_nothing_else(home: Path) -> None:
    first, after = memory("first"), memory("after")
    store = open_store(home)
    store.append([admit(first)])
    path = only_segment(home)
    start = path.stat().st_size
    store.close()
    # The index and the marks as they were when the process died in the middle of its write.
    kept = home.parent / "kept"
    kept.mkdir()
    for each in (*home.glob("index.db*"), home / "marks.json"):
        shutil.copy2(each, kept)
    store = open_store(home)
    store.append([Change(kind=ChangeKind.PIN, subject=first.id, payload={"pinned": True})])
    store.close()
    whole = path.read_bytes()
    for length in range(start, len(whole)):
        path.write_bytes(whole[:length])
        for each in kept.iterdir():
            shutil.copy2(each, home)
        again = open_store(home)
        again.append([admit(after)])
        found = all_memories(again.reading())
        again.close()
        assert set(found) == {first.id, after.id}
        assert not any(stored.warned for stored in found.values())
        # A record that lacked nothing but its newline is whole once it gets it.
        assert found[first.id].memory.pinned == (length == len(whole) - 1)
        scanned = check_segment(str(home), path.relative_to(home / "journal").as_posix())
        assert scanned.breaks == []
        assert scanned.records == 2 + (length == len(whole) - 1)
        assert_chained(path)


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.99])
def test_two_writes_cut_short_one_after_the_other_harm_nothing_else(home: Path, kept: float) -> None:
    store = open_store(home)
    store.append([admit(memory("first"))])
    store.close()
    path = only_segment(home)
    whole = path.read_bytes()
    row = whole[:-1]
    torn = row[: int(len(row) * kept)]
    tear_at(home, whole + torn + b"\n" + torn, len(whole) + 2 * len(torn) + 1)
    again = open_store(home)
    again.append([admit(memory("after"))])
    assert len(all_memories(again.reading())) == 2
    assert again.verify().problems == []
    assert_chained(path)


def test_a_torn_tail_longer_than_one_look_is_passed_over(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("first"))])
    store.append([admit(memory("long " * 20_000))])
    store.close()
    whole = only_segment(home).read_bytes()
    tear_at(home, whole, len(whole) - 10)
    again = open_store(home)
    again.append([admit(memory("after"))])
    assert len(all_memories(again.reading())) == 2
    assert_chained(only_segment(home))


def test_an_acknowledged_record_that_was_cut_comes_back_from_the_index(home: Path) -> None:
    first, second = memory("first"), memory("second")
    store = open_store(home)
    store.append([admit(first)])
    store.append([admit(second)])
    store.close()
    path = only_segment(home)
    os.truncate(path, path.stat().st_size - 5)
    again = open_store(home)
    assert set(all_memories(again.reading())) == {first.id, second.id}
    assert any("was damaged" in notice for notice in again.notices)
    assert again.verify().problems == []


# Clocks


def test_an_id_from_a_clock_far_ahead_is_not_followed(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock)
    before = list(store.append([admit(memory("before"))]))
    clock.ms += 400 * clocks.DAY_MS
    (ahead,) = open_store(home, clock).append([admit(memory("from the future"))])
    clock.ms -= 400 * clocks.DAY_MS
    for again in (store, open_store(home, clock)):
        again.reading()
        (kept,) = again.append([admit(memory("after"))])
        assert before[-1].id < kept.id < ahead.id
        assert ms_of(kept.id) - clock.ms < 1000
        before.append(kept)
    assert len(all_memories(store.reading())) == 4


def test_a_clock_that_goes_back_keeps_the_order_even_beside_one_far_ahead(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock)
    one = memory("one")
    clock.ms += 400 * clocks.DAY_MS
    store.append([admit(memory("from the future"))])
    clock.ms -= 400 * clocks.DAY_MS
    (born,) = open_store(home, clock).append([admit(one)])
    clock.ms -= 3_600_000
    again = open_store(home, clock)
    (forgotten,) = again.append([on(one, ChangeKind.FORGET)])
    assert forgotten.id > born.id
    found = again.reading().get(one.id)
    assert found is not None and found.status == "forgotten"


def test_a_clock_that_is_a_little_ahead_elsewhere_is_followed(home: Path) -> None:
    one, clock = memory("one"), Clock()
    there = open_store(home.parent / "there", Clock(clock.ms + 3_600_000))
    (born,) = there.append([admit(one)])
    here = open_store(home, clock)
    here.reading()
    copy_journal(home.parent / "there", home)
    here.reading()
    (corrected,) = here.append([admit(correction(one, "two"))])
    assert corrected.id > born.id


def test_a_hurried_writer_goes_on_after_the_last_id_of_its_segment(home: Path) -> None:
    clock = Clock()
    (first,) = open_store(home, clock).append([admit(memory("one"))])
    clock.ms -= 3_600_000
    (second,) = open_store(home, clock, hurried=True).append([admit(memory("two"))])
    assert second.id > first.id


def test_ids_that_are_no_ids_are_not_followed() -> None:
    writer = Writer("/nowhere", segment_bytes=1, now_ms=Clock())
    for text in ("", "x", "mem_", stamp(0)[:-1], "u" * 26, "é" * 26):
        writer.advance_past(text)


def test_a_device_keeps_its_name(home: Path) -> None:
    (first,) = open_store(home).append([admit(memory())])
    (second,) = open_store(home).append([admit(memory())])
    assert first.device == second.device
    assert len(list((home / "device").iterdir())) == 1


def test_a_copied_home_becomes_a_new_device(home: Path) -> None:
    store = open_store(home)
    (kept,) = store.append([admit(memory("one"))])
    store.close()
    other = home.parent / "copy"
    shutil.copytree(home, other)
    copied = open_store(other)
    (made,) = copied.append([admit(memory("two"))])
    assert made.device != kept.device
    assert len(segments(other)) == 2
    assert open_store(home).append([admit(memory("three"))])[0].device == kept.device
    copy_journal(other, home)
    again = open_store(home)
    again.reading()
    copy_journal(home, other)
    assert all_memories(again.reading()) == all_memories(copied.reading())
    assert len(all_memories(copied.reading())) == 3
    assert copied.verify().problems == again.verify().problems == []


def test_a_home_on_another_machine_becomes_a_new_device(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here,) = open_store(home).append([admit(memory())])
    monkeypatch.setattr(system, "read_machine_id", lambda: "another machine")
    (there,) = open_store(home).append([admit(memory())])
    assert here.device != there.device


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"garbage", b"d" * 13, b"../../../tmp/x", b"\xff\xfe\x00", b"d" + b"0" * 40]
)
def test_a_device_file_that_was_damaged_is_replaced(home: Path, content: bytes) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    (path,) = (home / "device").iterdir()
    path.write_bytes(content)
    again = open_store(home)
    (kept,) = again.append([admit(memory("two"))])
    assert kept.device == load_device_id(str(home))
    assert kept.device[1:].isalnum() and len(kept.device) == 13
    assert len(all_memories(again.reading())) == 2
    assert sorted(path.name for path in home.parent.iterdir()) == ["home"]
