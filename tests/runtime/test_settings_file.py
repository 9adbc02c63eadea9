"""Changing a setting: only its line changes, and a file that is not understood is left alone."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import SettingsError, UsageError
from limpet.runtime.settings_file import set_value, unset_value
from limpet.settings import Settings, load


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def load_settings(home: Path) -> Settings:
    return load(home=str(home), environ={})


def test_setting_a_value_keeps_comments_and_unknown_keys(home: Path) -> None:
    before = "# mine\n[recall] # five is few\nlimit = 6 # six\nlimits = 1\n\n[other]\nx = [1, 2]\n"
    (home / "config.toml").write_text(before)
    set_value(str(home), "recall.limit", "12")
    assert (home / "config.toml").read_text() == before.replace("limit = 6", "limit = 12")
    set_value(str(home), "store.backup_hours", "2")
    assert load_settings(home).store.backup_hours == 2.0
    assert (home / "config.toml").read_text().startswith(before.replace("limit = 6", "limit = 12"))
    unset_value(str(home), "recall.limit")
    unset_value(str(home), "recall.limits")
    found = load_settings(home)
    assert (found.recall.limit, found.origin_of("recall.limit")) == (5, "default")
    assert "# five is few" in (home / "config.toml").read_text()


@pytest.mark.parametrize(
    "before",
    [
        "store = { backup_hours = 2.0, zzz = 1 }\n",
        "store.backup_hours = 2.0\nstore.zzz = 1\n",
        "[store]\r\nbackup_hours = 2.0\r\nzzz = 1\r\n",
        "[store]\nbackup_hours = 2.0\nzzz = 1\n[x]\ny = 1\n[store.sub]\nz = 1",
        "\ufeff[store]\nbackup_hours = 2.0\nzzz = 1",
        "",
    ],
)
def test_every_way_to_write_a_section_can_be_changed(home: Path, before: str) -> None:
    (home / "config.toml").write_bytes(before.encode())
    kept: dict[str, Any] = tomllib.loads(before.removeprefix("\ufeff"))
    set_value(str(home), "store.backup_hours", "3.5")
    set_value(str(home), "store.project_cap", "7")
    kept.setdefault("store", {}).update(backup_hours=3.5, project_cap=7)
    assert tomllib.loads((home / "config.toml").read_text()) == kept
    unset_value(str(home), "store.project_cap")
    del kept["store"]["project_cap"]
    assert tomllib.loads((home / "config.toml").read_text()) == kept


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_the_file_is_the_owners_alone_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    before = os.umask(0)
    try:
        set_value(str(home), "recall.limit", "6")
    finally:
        os.umask(before)
    assert stat.S_IMODE((home / "config.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert os.listdir(home) == ["config.toml"]


def test_a_wrong_value_or_name_changes_nothing(home: Path) -> None:
    with pytest.raises(SettingsError, match=r"'recall.limit' is '0' in the command; expected a whole number"):
        set_value(str(home), "recall.limit", "0")
    with pytest.raises(UsageError, match=r"did you mean 'recall.limit'\?"):
        set_value(str(home), "recall.limt", "1")
    with pytest.raises(UsageError):
        unset_value(str(home), "recall.limt")
    unset_value(str(home), "recall.limit")
    assert os.listdir(home) == []


def test_a_symlinked_file_is_not_written_through(home: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim.toml"
    victim.write_text("[recall]\nlimit = 6\n")
    (home / "config.toml").symlink_to(victim)
    with pytest.raises(SettingsError, match="symlink"):
        set_value(str(home), "recall.limit", "7")
    with pytest.raises(SettingsError, match="symlink"):
        unset_value(str(home), "recall.limit")
    assert victim.read_text() == "[recall]\nlimit = 6\n"


@pytest.mark.parametrize("broken", ["[recall\n", "recall = 3\n"])
def test_a_broken_file_is_not_overwritten(home: Path, broken: str) -> None:
    (home / "config.toml").write_text(broken)
    with pytest.raises(SettingsError):
        set_value(str(home), "recall.limit", "7")
    assert (home / "config.toml").read_text() == broken


def test_a_wrong_value_in_the_file_can_be_mended_by_setting_it(home: Path) -> None:
    (home / "config.toml").write_text('[recall]\nlimit = "six"\n')
    set_value(str(home), "recall.limit", "6")
    assert load_settings(home).recall.limit == 6


def test_a_home_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="is not a folder; set LIMPET_HOME to one"):
        set_value(str(tmp_path / "file"), "recall.limit", "6")
