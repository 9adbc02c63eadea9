"""Segments are listed by device; a copy of receipts that a sync program made is left out."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from limpet import system
from limpet.store.journal.segments import (
    DAMAGED,
    is_device,
    is_receipts,
    list_segments,
    open_segment,
    path_of,
    read_rows,
    segment_lock,
    set_aside,
)

DEVICE = "d0123456789ab"


def put(home: Path, name: str, data: bytes = b"row\n") -> Path:
    path = home / "journal" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_segments_of_every_device_are_listed_with_their_size(tmp_path: Path) -> None:
    put(tmp_path, f"{DEVICE}/000001.jsonl", b"12345")
    put(tmp_path, f"{DEVICE}/r000001.jsonl")
    put(tmp_path, f"{DEVICE}/r000001 (copy).jsonl")
    put(tmp_path, f"{DEVICE}/notes.txt")
    found = {name: size for name, size, _ in list_segments(str(tmp_path))}
    assert found == {f"{DEVICE}/000001.jsonl": 5, f"{DEVICE}/r000001.jsonl": 4}
    assert [name for name in found if is_receipts(name)] == [f"{DEVICE}/r000001.jsonl"]
    assert path_of(str(tmp_path), f"{DEVICE}/000001.jsonl") == str(tmp_path / "journal" / DEVICE / "000001.jsonl")


@pytest.mark.parametrize(("name", "fits"), [(DEVICE, True), ("d0123", False), ("x0123456789ab", False), ("", False)])
def test_a_device_has_an_id_of_one_form(name: str, fits: bool) -> None:
    assert is_device(name) is fits


def test_a_row_without_its_newline_has_not_arrived(tmp_path: Path) -> None:
    path = put(tmp_path, f"{DEVICE}/000001.jsonl", b"one\n\ntwo\nhal")
    assert list(read_rows(str(path))) == [(0, b"one"), (4, b""), (5, b"two")]
    assert list(read_rows(str(path), 5)) == [(5, b"two")]


def test_a_segment_that_somebody_writes_to_is_not_locked_again(tmp_path: Path) -> None:
    system.private_directory(str(tmp_path / "locks"))
    home, name = str(tmp_path), f"{DEVICE}/000001.jsonl"
    with segment_lock(home, name) as first, segment_lock(home, name) as second:
        assert (first, second) == (True, False)


def test_damaged_files_of_one_moment_are_all_kept(tmp_path: Path) -> None:
    for _ in range(3):
        set_aside(str(tmp_path), str(put(tmp_path, f"{DEVICE}/000001.jsonl")), 1_000_000)
    assert len(list((tmp_path / DAMAGED).iterdir())) == 3


def test_opening_a_segment_does_not_read_it(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl"
    path.write_bytes(b'{"a line": 1}\n' * 10_000)
    with open_segment(str(path)) as file:
        assert isinstance(file.raw, io.FileIO)
        assert file.raw.tell() == 0
        file.seek(-14, os.SEEK_END)
        assert file.readline() == b'{"a line": 1}\n'
