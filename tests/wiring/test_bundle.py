"""The bundle is written once, and again after its modules have changed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from limpet.wiring import bundle


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "__pycache__" / "bundle"
    monkeypatch.setattr(bundle, "bundle_path", lambda: str(made))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(bundle, "read_parts", lambda: {"part": ["limpet.clock", "limpet.lean.time_limits"]})
    return made


def test_it_is_written_once(path: Path) -> None:
    assert bundle.refresh_bundle()
    assert path.exists()
    assert not bundle.refresh_bundle()


def test_it_is_written_again_if_it_no_longer_fits(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle.refresh_bundle()
    monkeypatch.setattr(bundle, "_read_stamp", lambda path: (1, 1))
    assert bundle.refresh_bundle()
    path.write_bytes(b"damaged")
    assert bundle.refresh_bundle()


def test_it_is_not_written_where_python_writes_no_byte_code(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert not bundle.refresh_bundle()
    assert not path.exists()


def test_a_folder_that_cannot_be_written_is_no_error(path: Path) -> None:
    path.parent.write_text("a file in the place of the folder")
    assert not bundle.refresh_bundle()


def test_it_can_be_read_by_everyone_who_may_run_the_package(path: Path) -> None:
    bundle.refresh_bundle()
    assert path.stat().st_mode & 0o777 == os.stat(bundle.__file__).st_mode & 0o777


def test_it_can_be_removed_twice(path: Path) -> None:
    bundle.refresh_bundle()
    bundle.remove_bundle()
    bundle.remove_bundle()
    assert not path.exists()


def test_every_module_of_the_table_exists() -> None:
    names = [name for part in bundle.read_parts().values() for name in part]
    assert len(names) == len(set(names))
    assert [name for name in names if name.startswith("limpet.") and bundle._compile_module(name) is None] == []
