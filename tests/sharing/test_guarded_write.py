"""A file is replaced or removed only if nobody else has changed it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet import system
from limpet.errors import SymlinkRefused
from limpet.sharing.guarded_write import remove_if, replace_if, write_shared_file


def test_the_expected_content_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    assert replace_if(str(path), b"new", lambda data: data == b"old")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.md"]


def test_another_content_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"edited")
    assert not replace_if(str(path), b"new", lambda data: data == b"old")
    assert not remove_if(str(path), lambda data: data == b"old")
    assert path.read_bytes() == b"edited"
    assert os.listdir(tmp_path) == ["a.md"]


def test_a_new_file_takes_no_place_that_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    link = os.link

    def edit_first(one: str, other: str) -> None:
        path.write_bytes(b"edited")
        link(one, other)

    monkeypatch.setattr(os, "link", edit_first)
    assert not replace_if(str(path), b"new", lambda data: data is None)
    assert path.read_bytes() == b"edited"
    assert os.listdir(tmp_path) == ["a.md"]


def test_an_edit_during_the_removal_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    rename = os.rename

    def edit_first(one: str, other: str) -> None:
        path.write_bytes(b"edited")
        rename(one, other)

    monkeypatch.setattr(os, "rename", edit_first)
    assert not remove_if(str(path), lambda data: data == b"old")
    assert path.read_bytes() == b"edited"
    assert os.listdir(tmp_path) == ["a.md"]


def test_without_an_exchange_the_content_is_looked_at_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "exchange", lambda one, other: False)
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    assert replace_if(str(path), b"new", lambda data: data == b"old")
    assert path.read_bytes() == b"new"


def test_a_symlink_is_refused(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    path = tmp_path / "a.md"
    os.symlink(victim, path)
    for act in (
        lambda: replace_if(str(path), b"new", lambda data: True),
        lambda: remove_if(str(path), lambda data: True),
        lambda: write_shared_file(str(path), b"new"),
    ):
        with pytest.raises(SymlinkRefused):
            act()
    assert victim.read_bytes() == b"mine"
