"""A shared folder holds segments and ledgers below the device that wrote them; everything else is left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet import clock
from limpet.errors import UsageError
from limpet.sync import folder as folders
from limpet.sync.folder import SyncFolder
from limpet.sync.ledger import MachineLedger

DEVICE = "d0123456789ab"
NAME = f"{DEVICE}/000001-0a1b2c3d.jsonl"


def read(shared: SyncFolder, name: str) -> bytes | None:
    file = shared.open(name)
    if file is None:
        return None
    with file:
        return file.read()


@pytest.fixture
def shared(tmp_path: Path) -> SyncFolder:
    return SyncFolder(str(tmp_path))


def test_what_was_written_is_listed_and_read(shared: SyncFolder) -> None:
    shared.write(NAME, b"one\n")
    assert shared.names() == [NAME]
    assert read(shared, NAME) == b"one\n"


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mount the drive"):
        SyncFolder(str(tmp_path / "usb"))
    assert not (tmp_path / "usb").exists()


def test_copies_that_a_sync_program_made_are_left_alone(shared: SyncFolder, tmp_path: Path) -> None:
    shared.write(NAME, b"one\n")
    (tmp_path / DEVICE / "000001-0a1b2c3d.sync-conflict-20260301-120000-ABCDEFG.jsonl").write_bytes(b"two\n")
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / ".stfolder").mkdir()
    assert shared.names() == [NAME]


def test_ledgers_are_found_for_every_device(shared: SyncFolder) -> None:
    shared.write_ledger(MachineLedger(device=DEVICE, label="laptop"))
    shared.write_ledger(MachineLedger(device="dffffffffffff", label="tower"))
    assert [each.label for each in shared.ledgers()] == ["laptop", "tower"]


def test_what_a_killed_process_left_of_a_file_is_removed(shared: SyncFolder, tmp_path: Path) -> None:
    shared.write(NAME, b"one\n")
    old, fresh = (tmp_path / f"{NAME}.{number}.0a1b2c3d.tmp" for number in (17, 18))
    for path in (old, fresh):
        path.write_bytes(b"half a te")
    os.utime(old, (1, 1))
    shared.write(NAME, b"two\n")
    assert not old.exists() and fresh.exists(), "another process may still be writing the fresh one"


def test_a_folder_that_is_named_like_a_file_is_not_read(shared: SyncFolder, tmp_path: Path) -> None:
    (tmp_path / DEVICE / "000001-0a1b2c3d.jsonl").mkdir(parents=True)
    (tmp_path / DEVICE / "ledger.json").mkdir()
    assert [read(shared, name) for name in shared.names()] == [None]
    assert shared.ledgers() == []


def test_links_pipes_and_giants_are_not_read(
    shared: SyncFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("mine")
    (tmp_path / DEVICE).mkdir()
    (tmp_path / DEVICE / "000001-0a1b2c3d.jsonl").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / DEVICE / "000002-0a1b2c3d.jsonl")
    monkeypatch.setattr(folders, "LARGEST", 10)
    (tmp_path / DEVICE / "000003-0a1b2c3d.jsonl").write_bytes(b"x" * 11)
    assert [read(shared, name) for name in shared.names()] == [None, None, None]


def test_a_file_that_is_written_to_has_another_stamp(
    shared: SyncFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long a busy machine takes, all of this happens within a moment.
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    shared.write(NAME, b"one\n")
    assert shared.stamp(NAME) == "", "it could be written to once more without another time"
    os.utime(tmp_path / NAME, (1, 1))
    stamps = {shared.stamp(NAME)}
    for number in range(3):
        clock.pause(20)
        (tmp_path / NAME).write_bytes(b"two\n")
        os.utime(tmp_path / NAME, (number, number))
        stamps.add(shared.stamp(NAME))
    assert stamps == {""}, "a new file, whatever time it claims, was made a moment ago"


def test_a_stamp_stays_as_long_as_the_file_does(
    shared: SyncFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared.write(NAME, b"one\n")
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now + 60_000)
    stamp = shared.stamp(NAME)
    assert stamp and shared.stamp(NAME) == stamp
    shared.write(NAME, b"two\n")
    assert shared.stamp(NAME) not in ("", stamp)
    assert shared.stamp("dffffffffffff/000001-0a1b2c3d.jsonl") == ""
