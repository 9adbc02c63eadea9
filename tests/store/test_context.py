"""The high-water marks: what they remember, and that losing them costs nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.store.context import HighWater
from tests.model.making import admit, memory
from tests.store.acting import all_memories
from tests.store.homes import open_store


def test_marks_are_read_back_as_they_were_saved(tmp_path: Path) -> None:
    one = HighWater(records={"d1/000001.jsonl": 5, "d2/000001.jsonl": 0}, index=(10, 20), backup_ms=30)
    one.save(str(tmp_path))
    assert HighWater.load(str(tmp_path)) == one


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"5",
        b'"text"',
        b"{}",
        b'{"records": 5}',
        b'{"records": {"a": "many"}}',
        b'{"records": {"a": 1}, "index": "x"}',
        b'{"records": {"a": 1}, "index": [1]}',
        b'{"records": {"a": 1}, "backup_ms": []}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_marks_that_cannot_be_read_are_no_marks(home: Path, content: bytes) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    store.close()
    (home / "marks.json").write_bytes(content)
    assert HighWater.load(str(home)) == HighWater()
    again = open_store(home)
    again.append([admit(memory("two"))])
    assert len(all_memories(again.reading())) == 2
    assert again.notices == []
    assert again.verify().problems == []
    assert sum(json.loads((home / "marks.json").read_bytes())["records"].values()) == 2


def test_marks_that_are_gone_cost_nothing(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    (home / "marks.json").unlink()
    assert len(all_memories(store.reading())) == 1
    store.close()
    again = open_store(home)
    assert len(all_memories(again.reading())) == 1
    assert again.notices == []


def test_marks_count_the_records_of_every_segment(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one")), admit(memory("two"))])
    store.append([admit(memory("three"))])
    assert list(HighWater.load(str(home)).records.values()) == [3]


def test_a_folder_in_place_of_the_marks_is_harmless(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    store.close()
    (home / "marks.json").unlink()
    (home / "marks.json").mkdir()
    again = open_store(home)
    again.append([admit(memory("two"))])
    assert len(all_memories(again.reading())) == 2
