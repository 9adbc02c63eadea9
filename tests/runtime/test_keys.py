"""Signing keys: each in a file only its owner can read, trusted only if it is the key its name says."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from limpet import clock, system
from limpet.errors import StoreError
from limpet.model.keyring import key_id
from limpet.runtime.keys import KeyFolder


def make_key(home: Path) -> str:
    folder = KeyFolder(str(home))
    name = folder.begin()
    folder.finish()
    return name


def test_a_key_is_found_under_its_id(home: Path) -> None:
    home.mkdir()
    name = make_key(home)
    ring = KeyFolder(str(home)).ring()
    ((found, key),) = ring.keys.items()
    assert (found, ring.newest, key_id(key)) == (name, name, name)
    assert len(key) == 32
    assert ring.is_promised


def test_without_keys_nobody_signs(home: Path) -> None:
    ring = KeyFolder(str(home)).ring()
    assert (ring.keys, ring.newest, ring.is_promised) == ({}, "", False)


def test_the_newest_key_signs_and_all_of_them_check(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    first = make_key(home)
    # Even if the clock goes back.
    monkeypatch.setattr(clock, "now_ms", lambda: 1_000)
    second = make_key(home)
    ring = KeyFolder(str(home)).ring()
    assert (set(ring.keys), ring.newest) == ({first, second}, second)


def test_a_key_that_another_process_makes_is_found(home: Path) -> None:
    home.mkdir()
    folder = KeyFolder(str(home))
    assert not folder.ring().keys
    name = make_key(home)
    assert folder.ring().newest == name


def test_a_key_of_a_process_that_was_killed_does_not_count_and_is_used_by_the_next(home: Path) -> None:
    home.mkdir()
    killed = KeyFolder(str(home))
    name = killed.begin()
    assert killed.ring().newest == name
    ring = KeyFolder(str(home)).ring()
    assert (ring.keys, ring.is_promised) == ({}, False)
    assert make_key(home) == name
    assert KeyFolder(str(home)).ring().newest == name


@pytest.mark.parametrize("content", ["", "zz", "00" * 32, "keyring-like", "é", "00" * 31])
def test_a_key_that_is_not_what_its_name_says_is_not_used_but_the_home_still_signs(home: Path, content: str) -> None:
    home.mkdir()
    make_key(home)
    (path,) = (home / "keys").iterdir()
    path.write_text(content, encoding="utf-8")
    ring = KeyFolder(str(home)).ring()
    assert (ring.keys, ring.newest, ring.is_promised) == ({}, "", True)


def test_a_broken_unfinished_key_is_replaced(home: Path) -> None:
    home.mkdir()
    KeyFolder(str(home)).begin()
    (path,) = (home / "keys").iterdir()
    path.write_text("", encoding="utf-8")
    name = make_key(home)
    assert KeyFolder(str(home)).ring().newest == name


@pytest.mark.skipif(system.WINDOWS, reason="modes and symlinks are POSIX")
def test_key_files_are_private_to_their_owner_and_symlinks_are_not_read(home: Path) -> None:
    home.mkdir()
    name = make_key(home)
    (path,) = (home / "keys").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.rename(home / "elsewhere")
    path.symlink_to(home / "elsewhere")
    assert name not in KeyFolder(str(home)).ring().keys
    (home / "keys").rename(home / "real")
    (home / "keys").symlink_to(home / "real")
    with pytest.raises(StoreError, match="symlink"):
        make_key(home)
