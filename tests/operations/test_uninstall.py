"""Uninstalling restores every settings file, and memories stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts.settings_files import CLAUDE_MEM, CODEX, JSON, TOML
from tests.operations.sandbox import Sandbox
from tests.operations.user_home import SETTINGS_FILES, hook_commands, snapshot, write_file


@pytest.mark.parametrize("statusline", [False, True])
@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_a_settings_file_is_put_back_byte_for_byte(
    sandbox: Sandbox, user_home: Path, text: str, statusline: bool
) -> None:
    for name in SETTINGS_FILES:
        write_file(user_home / name, text if name.endswith("json") else CODEX)
    before = snapshot(user_home)
    assert sandbox.ask("setup", statusline=statusline).problems == ()
    wired = snapshot(user_home)
    assert wired != before
    again = sandbox.ask("setup")
    assert {step.action for step in again.steps} == {"keep"}
    assert snapshot(user_home) == wired
    assert sandbox.ask("uninstall").problems == ()
    assert snapshot(user_home) == before
    assert not sandbox.home.exists()


def test_a_status_line_goes_though_the_file_was_edited_since(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup", statusline=True)
    path.write_text(path.read_text().replace("{", '{"theme": "dark",', 1))
    sandbox.ask("uninstall")
    assert json.loads(path.read_text()) == {"theme": "dark", **json.loads(CLAUDE_MEM)}


@pytest.mark.parametrize("text", TOML.values(), ids=TOML.keys())
def test_a_toml_file_is_put_back_byte_for_byte(sandbox: Sandbox, user_home: Path, text: str) -> None:
    write_file(user_home / ".codex/config.toml", text)
    before = snapshot(user_home)
    assert sandbox.ask("setup").problems == ()
    sandbox.ask("uninstall")
    assert snapshot(user_home) == before


def test_a_file_that_setup_made_and_others_use_is_only_cleaned(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    path = user_home / ".gemini/settings.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({"theme": "dark", **data}))
    sandbox.ask("uninstall")
    assert json.loads(path.read_text()) == {"theme": "dark"}
    assert not (user_home / ".codex/hooks.json").exists()


def test_a_file_that_somebody_deleted_is_not_brought_back(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup")
    path.unlink()
    assert sandbox.ask("uninstall").problems == ()
    assert not path.exists()


def test_without_a_ledger_our_entries_are_found_and_taken_out(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup")
    (sandbox.home / "wiring.json").unlink()
    assert sandbox.ask("uninstall").problems == ()
    assert path.read_text() == CLAUDE_MEM
    assert "limpet" not in (user_home / ".codex/config.toml").read_text()


def test_one_agent_can_be_taken_out_alone(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    sandbox.ask("uninstall", host="codex")
    assert not (user_home / ".codex/hooks.json").exists()
    assert hook_commands(user_home / ".claude/settings.json")
    assert json.loads((sandbox.home / "runtime.json").read_text())["hosts"] == {
        "claude-code": "settings",
        "gemini": "settings",
    }


def test_memories_stay_and_it_says_where(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.remember("Migrations run with alembic")
    sandbox.ask("setup")
    answer = sandbox.ask("uninstall")
    assert answer.notes[-1] == f"your memories stay in {sandbox.home}"
    assert sandbox.texts() == ["Migrations run with alembic"]
    assert not (sandbox.home / "runtime.json").exists() and not (sandbox.home / "wiring.json").exists()


@pytest.mark.parametrize("existed", [True, False])
def test_a_protected_file_without_an_entry_of_limpet_stays(sandbox: Sandbox, user_home: Path, existed: bool) -> None:
    path = user_home / ".claude/settings.json"
    if existed:
        write_file(path, "{}")
    sandbox.ask("setup", host="claude-code")
    path.unlink()
    write_file(path, "{}").chmod(0o444)
    answer = sandbox.ask("uninstall")
    assert (answer.problems, path.read_text()) == ((), "{}")


def test_a_protected_file_with_an_entry_of_limpet_is_named(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup", host="claude-code")
    (user_home / ".claude/settings.json").chmod(0o444)
    assert "is write-protected" in sandbox.ask("uninstall").problems[0]
