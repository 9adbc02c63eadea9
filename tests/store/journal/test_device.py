"""A device keeps its id; a home that was copied or moved becomes a new device."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from limpet import system
from limpet.store.journal.device import device_of
from tests.model.making import admit, memory
from tests.store.acting import all_memories
from tests.store.homes import copy_journal, open_store, segments


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
    monkeypatch.setattr(system, "machine_mark", lambda: "another machine")
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
    assert kept.device == device_of(str(home))
    assert kept.device[1:].isalnum() and len(kept.device) == 13
    assert len(all_memories(again.reading())) == 2
    assert sorted(path.name for path in home.parent.iterdir()) == ["home"]
