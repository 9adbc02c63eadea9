"""On the command line every change is printed before it is made, and what could not be done ends with status 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.wiring import ledger
from tests.cli.shell import Shell


@pytest.fixture
def you(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(shell.nobody / "bin"))
    (shell.nobody / ".claude").mkdir()
    return shell.nobody


def test_every_change_is_printed_before_it_is_made(shell: Shell, you: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setup that cannot write anything has printed everything already."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger.WiringLedger, "put", stop)
    done = shell.say("setup")
    assert done.code == 130
    assert f"create {you}/.claude/settings.json" in done.out
    assert "hooks SessionStart" in done.out and "MCP server limpet" in done.out
    assert not (you / ".claude/settings.json").exists()


def test_a_dry_run_prints_the_same_and_changes_nothing(shell: Shell, you: Path) -> None:
    planned = shell.say("setup", "--dry-run")
    assert (planned.code, planned.err) == (0, "")
    assert list(you.rglob("*.json")) == []
    done = shell.say("setup")
    assert done.out.startswith(planned.out)
    assert "Claude Code calls Limpet from its next session on" in done.out


def test_json_is_one_object_and_nothing_else(shell: Shell, you: Path) -> None:
    found = shell.ask("setup")
    assert found["done"] and found["hosts"] == ["claude-code"] and found["problems"] == []
    assert [file["action"] for file in found["files"]] == ["create", "create"]
    assert [file["action"] for file in shell.ask("setup")["files"]] == ["keep", "keep"]
    assert [file["action"] for file in shell.ask("uninstall")["files"]] == ["delete", "delete"]


def test_a_file_that_is_left_alone_is_named_and_ends_with_status_1(shell: Shell, you: Path) -> None:
    path = you / ".claude/settings.json"
    path.write_text("{ broken")
    done = shell.say("setup")
    assert done.code == 1
    assert done.err.count("\n") == 1 and f"{path} is not wired: it is not JSON (line 1" in done.err
    assert path.read_text() == "{ broken"


def test_no_agent_at_all_ends_with_status_1_and_says_what_to_do(shell: Shell, you: Path) -> None:
    (you / ".claude").rmdir()
    done = shell.say("setup")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1 and "no agent was found on this machine" in done.err
    assert not shell.home.exists()


def test_an_unknown_agent_is_a_matter_of_usage(shell: Shell, you: Path) -> None:
    done = shell.say("setup", "emacs")
    assert done.code == 2 and "claude-code" in done.err


def test_the_real_program_leaves_nothing_behind(shell: Shell, you: Path) -> None:
    before = sorted(str(path) for path in you.rglob("*"))
    assert shell.start("setup").code == 0
    assert (you / ".claude.json").exists()
    assert shell.start("uninstall").code == 0
    assert sorted(str(path) for path in you.rglob("*")) == before
    assert not shell.home.exists()
