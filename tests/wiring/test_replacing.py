"""A settings file that is not the user's to change is left alone; a link is followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.hosts.settings_files import CLAUDE_MEM
from tests.operations.sandbox import Sandbox
from tests.operations.user_home import hook_commands, snapshot, write_file


def test_what_is_not_utf_8_is_left(sandbox: Sandbox, user_home: Path) -> None:
    path = user_home / ".claude.json"
    path.write_bytes('{"name": "Zoë"}'.encode("latin-1"))
    answer = sandbox.ask("setup", host="claude-code")
    assert "is not UTF-8" in answer.problems[0]
    assert path.read_bytes() == '{"name": "Zoë"}'.encode("latin-1")


def test_a_link_to_settings_kept_elsewhere_is_followed_and_stays_a_link(sandbox: Sandbox, user_home: Path) -> None:
    """Many keep their settings in a repository and link to them."""
    kept = write_file(sandbox.folder / "dotfiles/claude.json", CLAUDE_MEM)
    kept.chmod(0o640)
    link = user_home / ".claude/settings.json"
    link.symlink_to("../../dotfiles/claude.json")
    before = snapshot(sandbox.folder)
    sandbox.ask("setup")
    assert link.is_symlink() and hook_commands(kept)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    sandbox.ask("uninstall")
    assert snapshot(sandbox.folder) == before


def test_a_link_to_nothing_is_left(sandbox: Sandbox, user_home: Path) -> None:
    (user_home / ".claude/settings.json").symlink_to("nowhere.json")
    answer = sandbox.ask("setup", host="claude-code")
    assert "is a link to nothing" in answer.problems[0]
    assert not (user_home / ".claude/nowhere.json").exists()


@pytest.mark.root
def test_a_file_of_somebody_else_is_left(sandbox: Sandbox, user_home: Path) -> None:
    kept = write_file(sandbox.folder / "theirs.json", "{}")
    os.chown(kept, 4242, -1)
    (user_home / ".claude/settings.json").symlink_to(kept)
    answer = sandbox.ask("setup", host="claude-code")
    assert "belongs to another user" in answer.problems[0]
    assert kept.read_text() == "{}"


def test_a_write_protected_file_is_left(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", "{}")
    path.chmod(0o444)
    assert "is write-protected" in sandbox.ask("setup", host="claude-code").problems[0]
    assert path.read_text() == "{}"


def test_a_folder_in_the_place_of_a_file_is_left(sandbox: Sandbox, user_home: Path) -> None:
    (user_home / ".claude/settings.json").mkdir()
    assert "is not a plain file" in sandbox.ask("setup", host="claude-code").problems[0]


def test_a_file_in_the_place_of_a_folder_is_said(sandbox: Sandbox, user_home: Path) -> None:
    (user_home / ".codex").rmdir()
    write_file(user_home / ".codex", "oops")
    problems = sandbox.ask("setup", host="codex").problems
    assert len(problems) == 2 and all("cannot be" in problem for problem in problems)
