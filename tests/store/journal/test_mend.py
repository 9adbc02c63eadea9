"""A damaged segment is rewritten from whole records, and what was written after the damage is kept."""

from __future__ import annotations

from pathlib import Path

from limpet.store.journal.mend import check_segment, find_verified_end, read_whole_rows, rewrite
from tests.model.making import admit, memory
from tests.store.homes import only_segment, open_store, rows
from tests.store.homes import rewrite as overwrite


def fill(home: Path) -> tuple[Path, str]:
    store = open_store(home)
    for number in range(4):
        store.append([admit(memory(f"number {number}"))])
    store.close()
    path = only_segment(home)
    return path, f"{path.parent.name}/{path.name}"


def test_a_whole_segment_has_no_problems(home: Path) -> None:
    path, name = fill(home)
    found = check_segment(str(home), name)
    assert (found.records, found.torn, found.missing, found.breaks) == (4, 0, 0, [])
    assert find_verified_end(str(path)) == path.stat().st_size


def test_a_removed_record_breaks_the_chain_and_is_counted(home: Path) -> None:
    path, name = fill(home)
    whole = rows(path)
    overwrite(path, b"".join([whole[0], *whole[2:]]))
    found = check_segment(str(home), name)
    assert (found.records, found.missing, [kind for *_, kind in found.breaks]) == (3, 1, ["chain"])
    assert find_verified_end(str(path)) == len(whole[0])


def test_only_whole_and_unedited_rows_are_taken(home: Path) -> None:
    path, _ = fill(home)
    whole = rows(path)
    overwrite(path, whole[0] + b"scribble\n" + whole[1].replace(b"number 1", b"number 9") + whole[2])
    assert read_whole_rows(str(path)) == [whole[0][:-1], whole[2][:-1]]


def test_what_was_written_after_the_damage_goes_to_another_segment(home: Path) -> None:
    path, name = fill(home)
    whole = rows(path)
    overwrite(path, whole[0] + b"scribble\n" + whole[2] + whole[3])
    cursor = rewrite(str(home), name, [whole[0][:-1]], 1_000_000)
    assert path.read_bytes() == whole[0]
    assert (cursor.records, cursor.applied) == (1, len(whole[0]))
    (kept,) = path.parent.glob("*-kept*.jsonl")
    assert kept.read_bytes() == whole[2] + whole[3]
    assert len(list((home / "damaged").iterdir())) == 1
