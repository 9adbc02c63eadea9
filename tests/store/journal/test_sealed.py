"""A sealed segment takes fewer bytes, reads like the plain one, and can be erased in, mended, copied and synced."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.clock import DAY_MS
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Memory
from limpet.store.journal import sealed
from limpet.store.journal.line import encode, erase_row
from limpet.store.journal.segments import open_segment, read_rows
from limpet.store.open import Store
from tests.model.making import admit, memory
from tests.store.acting import Clock, all_memories
from tests.store.homes import assert_chained, files_holding, open_store, remove_index, rewrite, segments, tables

TEXTS = st.lists(st.binary(max_size=300).map(lambda data: data.replace(b"\n", b"")), max_size=300)
SECRET = "the heron fishes at the ninth groyne"


def write_sealed(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    sealed.seal_file(str(path))


@given(rows=TEXTS, tail=st.binary(max_size=20), start=st.integers(0, 400))
def test_a_sealed_segment_reads_like_the_plain_one(
    tmp_path_factory: pytest.TempPathFactory, rows: list[bytes], tail: bytes, start: int
) -> None:
    path = tmp_path_factory.mktemp("sealed") / "000001.jsonl"
    data = b"x" + b"\n".join(rows) * 20 + tail
    path.write_bytes(data)
    plain = list(read_rows(str(path)))
    sealed.seal_file(str(path))
    assert sealed.length_of(str(path)) == len(data)
    assert list(read_rows(str(path))) == plain
    with open_segment(str(path)) as file:
        file.seek(start)
        assert file.read(100) == data[start : start + 100]
    sealed.unseal_file(str(path))
    assert path.read_bytes() == data


LINES = st.lists(
    st.tuples(
        st.dictionaries(st.text(max_size=9), st.text(max_size=9), max_size=2), st.booleans(), st.binary(max_size=9)
    ),
    max_size=20,
)


@given(drafted=LINES)
def test_lines_come_back_from_a_sealed_segment_whatever_stands_between_them(
    tmp_path_factory: pytest.TempPathFactory, drafted: list[tuple[dict[str, str], bool, bytes]]
) -> None:
    path = tmp_path_factory.mktemp("sealed") / "000001.jsonl"
    rows, last = [b"{"], ""
    for payload, is_erased, junk in drafted:
        row, last = make_line(payload, last)
        rows += [erase_row(row) if is_erased else row, junk.replace(b"\n", b"")]
    data = b"\n".join(rows) + b"\n"
    write_sealed(path, data)
    with open_segment(str(path)) as file:
        assert file.read() == data


def make_line(payload: dict[str, str], previous: str) -> tuple[bytes, str]:
    return encode(
        id="01m7j3eb4ztv8f37kkkzf7bcej",
        device="d2aaaa60cb084",
        actor="user:a",
        verb=ChangeKind.ADMIT,
        subject="mem_01jz4000000000000000000000",
        root="mem_01jz4000000000000000000000",
        lineage=(),
        payload=payload,
        previous=previous,
    )


def test_hashes_that_follow_from_the_lines_take_no_space(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl"
    rows, last = [], ""
    for _ in range(50):
        row, last = make_line({}, last)
        rows.append(row)
    write_sealed(path, b"\n".join(rows) + b"\n")
    # A salt of twelve bytes is all that is new in each line.
    assert path.stat().st_size / len(rows) < 32


def test_a_segment_that_was_sealed_with_whole_lines_is_read(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl"
    row, last = make_line({"text": "an older seal"}, "")
    data = row + b"\n" + make_line({}, last)[0] + b"\n"
    packed = zlib.compress(data)
    numbers = ((len(data), 8), (28 + 12 + 4 + len(packed), 8), (1, 4), (len(data), 4), (len(packed), 4))
    head = b"\0limpet\1" + b"".join(number.to_bytes(size, "big") for number, size in numbers)
    head += zlib.crc32(data).to_bytes(4, "big")
    path.write_bytes(head + zlib.crc32(head).to_bytes(4, "big") + packed)
    assert sealed.length_of(str(path)) == len(data)
    with open_segment(str(path)) as file:
        assert file.read() == data
        assert not sealed.has_damage(file)


def test_damage_to_one_block_costs_the_lines_of_that_block_only(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl"
    rows = [b"%06d %s" % (number, os.urandom(20).hex().encode()) for number in range(5000)]
    write_sealed(path, b"\n".join(rows) + b"\n")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    found = dict(read_rows(str(path)))
    lost = [row for number, row in enumerate(rows) if found.get(number * len(rows[0]) + number) != row]
    assert 0 < len(lost) < 1500
    with open_segment(str(path)) as file:
        assert sealed.has_damage(file)


def test_a_sealed_segment_without_its_end_is_noticed_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl"
    write_sealed(path, b"a line\n" * 100)
    path.write_bytes(path.read_bytes()[:-1])
    assert sealed.length_of(str(path)) == -1


def fill(home: Path, clock: Clock, count: int = 60) -> tuple[Store, dict[str, Memory]]:
    """Return a store with several finished segments, all of them sealed, and an open one."""
    store = open_store(home, clock, segment_bytes=8_000)
    made = [memory(f"groyne {number} was mended with limestone") for number in range(count)]
    for number in range(0, count, 5):
        store.append([admit(each) for each in made[number : number + 5]])
    last = memory("the last groyne stands in an open segment")
    store.append([admit(last)])
    store.reading()
    store.backup()
    return store, {each.id: each for each in (*made, last)}


def is_sealed(path: Path) -> bool:
    return sealed.is_sealed(str(path))


def copies(home: Path) -> list[Path]:
    return sorted((home / "backups" / "journal").glob("*/*.jsonl"))


def test_a_backup_seals_full_segments_and_their_copies(home: Path) -> None:
    store, made = fill(home, Clock())
    found = segments(home)
    assert len(found) > 3
    assert [is_sealed(path) for path in found] == [True] * (len(found) - 1) + [False]
    assert [is_sealed(path) for path in copies(home)] == [is_sealed(path) for path in found]
    before = tables(store)
    store.append([admit(memory("the tide is out"))])
    assert [is_sealed(path) for path in segments(home)] == [is_sealed(path) for path in found]
    store.close()
    again = open_store(home)
    assert set(all_memories(again.reading())) >= set(made)
    assert again.verify().problems == []
    assert again.notices == []
    remove_index(home)
    rebuilt = open_store(home)
    assert set(all_memories(rebuilt.reading())) >= set(made)
    assert {row[0] for row in before["change"]} <= {row[0] for row in tables(rebuilt)["change"]}


def test_a_large_segment_is_sealed_after_a_week(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock, segment_bytes=20_000)
    store.append([admit(memory(f"number {number}")) for number in range(8)])
    (path,) = segments(home)
    moment = clock() * 1_000_000
    os.utime(path, ns=(moment, moment))
    store.backup()
    assert not is_sealed(path)
    clock.ms += 8 * DAY_MS
    store.backup()
    assert is_sealed(path)
    store.append([admit(memory("later"))])
    assert len(segments(home)) == 2
    assert len(all_memories(store.reading())) == 9
    assert store.notices == []


def empty(path: Path) -> None:
    rewrite(path, b"")


def halve(path: Path) -> None:
    rewrite(path, path.read_bytes()[: path.stat().st_size // 2])


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 4
    rewrite(path, bytes(data))


def flip_the_head(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[30] ^= 4
    rewrite(path, bytes(data))


def flip_the_number_of_blocks(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[24] ^= 0x80
    rewrite(path, bytes(data))


def overwrite(path: Path) -> None:
    rewrite(path, b"this is not a journal\n" * 50)


DAMAGES = (empty, halve, flip_a_bit, flip_the_head, flip_the_number_of_blocks, overwrite, Path.unlink)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("has_index", [True, False])
def test_a_damaged_sealed_segment_is_mended(home: Path, damage: Callable[[Path], None], has_index: bool) -> None:
    store, made = fill(home, Clock())
    store.close()
    path = segments(home)[1]
    if not has_index:
        remove_index(home)
    damage(path)
    again = open_store(home)
    assert set(all_memories(again.reading())) == set(made)
    assert again.notices != []
    assert_chained(path)
    assert again.verify().problems == []
    again.backup()
    remove_index(home)
    assert set(all_memories(open_store(home).reading())) == set(made)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_sealed_copy_loses_nothing(home: Path, damage: Callable[[Path], None]) -> None:
    store, made = fill(home, Clock())
    damage(copies(home)[1])
    store.backup()
    assert set(all_memories(store.reading())) == set(made)
    assert store.verify().problems == []


@pytest.mark.parametrize("place", ["journal", "damaged"])
def test_a_purge_erases_in_sealed_segments_and_copies(home: Path, place: str) -> None:
    clock = Clock()
    one = memory(SECRET)
    store = open_store(home, clock, segment_bytes=8_000)
    store.append([admit(one)])
    store.append([admit(memory(f"number {number} of many")) for number in range(20)])
    store.reading()
    store.backup()
    path = segments(home)[0]
    assert is_sealed(path)
    assert {name.split("/")[0] for name in files_holding(home, SECRET)} >= {"journal", "backups"}
    if place == "damaged":
        (home / "damaged").mkdir()
        shutil.copy(path, home / "damaged" / "20260101T000000-journal-000001.jsonl")
        flip_a_bit(home / "damaged" / "20260101T000000-journal-000001.jsonl")
    store.purge([Change(kind=ChangeKind.PURGE, subject=one.id, root=one.id, actor="user:anima")])
    store.close()
    assert files_holding(home, SECRET) == {}
    assert is_sealed(path)
    assert_chained(path)
    again = open_store(home)
    assert len(all_memories(again.reading())) == 20
    assert again.verify().problems == []
    assert again.notices == []


def test_a_segment_with_a_fault_is_not_sealed(home: Path) -> None:
    store = open_store(home, segment_bytes=8_000)
    store.append([admit(memory(f"number {number}")) for number in range(3)])
    (path,) = segments(home)
    with path.open("ab") as file:
        file.write(b"half a line without an e")
    store.append([admit(memory(f"number {number}")) for number in range(30)])
    store.backup()
    assert not is_sealed(path)
    assert len(all_memories(store.reading())) == 33


def test_a_sealed_segment_arrives_on_another_machine_as_a_whole_file(home: Path, tmp_path: Path) -> None:
    store, made = fill(home, Clock())
    other = tmp_path / "other"
    shutil.copytree(home / "journal", other / "journal")
    assert set(all_memories(open_store(other).reading())) == set(made)
    store.close()
