"""A start looks at the stamps of the files only, and the folder may lower what is told, not raise it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet import clock
from limpet.sharing.changes import describe_proposed, has_changed
from limpet.sharing.ledger import LedgerEntry, MirrorLedger, load_ledger, save_ledger
from limpet.sharing.shared_folder import SharedFolder


@pytest.fixture
def folder(tmp_path: Path) -> SharedFolder:
    made = SharedFolder(str(tmp_path / "shop"))
    made.make()
    path = Path(made.file_path("a"))
    path.write_text("x")
    os.utime(path, ns=(10**18, 10**18))
    ledger = MirrorLedger()
    entry = LedgerEntry(hash="h", memory="mem_1")
    stamp = made.read_stamp("a")
    assert stamp is not None
    entry.record_stamp(stamp, now_ns=clock.now_ms() * 1_000_000)
    ledger.get_checkout(made.root).files["a"] = entry
    save_ledger(str(tmp_path), "prj_1", ledger)
    return made


def test_nothing_has_changed_and_no_file_is_opened(
    folder: SharedFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: SharedFolder, name: str, folder: str = "") -> bytes:
        raise AssertionError(name)

    monkeypatch.setattr(SharedFolder, "read", refuse)
    assert not has_changed(str(tmp_path), "prj_1", folder)


@pytest.mark.parametrize(
    "act",
    [
        lambda place: place.with_name("b.md").write_text("y"),
        lambda place: place.write_text("longer"),
        lambda place: place.unlink(),
        lambda place: os.utime(place, ns=(10**18 + 1, 10**18 + 1)),
    ],
)
def test_a_new_a_changed_and_a_deleted_file_is_noticed(
    folder: SharedFolder, tmp_path: Path, act: Callable[[Path], object]
) -> None:
    act(Path(folder.file_path("a")))
    assert has_changed(str(tmp_path), "prj_1", folder)


@pytest.mark.parametrize("act", [lambda place: place.write_text("longer"), lambda place: place.unlink()])
def test_what_was_proposed_already_is_said_without_another_sync(
    folder: SharedFolder, tmp_path: Path, act: Callable[[Path], object]
) -> None:
    assert describe_proposed(str(tmp_path), "prj_1", folder) == ""
    act(Path(folder.file_path("a")))
    ledger = load_ledger(str(tmp_path), "prj_1")
    tree = ledger.get_checkout(folder.root)
    stamp = folder.read_stamp("a")
    if stamp is not None:
        os.utime(folder.file_path("a"), ns=(10**18, 10**18))
        stamp = folder.read_stamp("a")
        assert stamp is not None
        tree.files["a"].record_stamp(stamp, now_ns=clock.now_ms() * 1_000_000)
    tree.proposed = {"a": "" if stamp is None else "hash"}
    save_ledger(str(tmp_path), "prj_1", ledger)
    assert not has_changed(str(tmp_path), "prj_1", folder)
    assert "limpet confirm --project" in describe_proposed(str(tmp_path), "prj_1", folder)


def test_a_file_in_the_archive_is_not_gone(folder: SharedFolder, tmp_path: Path) -> None:
    os.rename(folder.file_path("a"), folder.file_path("a", "archives"))
    assert not has_changed(str(tmp_path), "prj_1", folder)
