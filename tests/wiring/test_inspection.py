"""The doctor knows which hosts call Limpet and how, and finds what is wrong with that."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from limpet import clock
from limpet.hosts import wiring
from limpet.wiring.inspection import _parse_program, is_shim
from tests.operations.sandbox import DAY, Sandbox


def problems(sandbox: Sandbox) -> list[str]:
    return [problem.what for problem in sandbox.ask("doctor").problems]


def test_the_hosts_that_call_limpet_are_listed(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    found = sandbox.json("doctor")
    assert found["ok"] and found["warnings"] == []
    assert found["agents"] == "Claude Code by its settings, Codex by its settings, Gemini CLI by its settings"


def test_without_an_agent_the_doctor_names_setup(sandbox: Sandbox, user_home: Path) -> None:
    found = sandbox.json("doctor")
    assert found["agents"] == "none"
    [warning] = found["warnings"]
    assert "no agent calls Limpet" in warning and warning.endswith("run: limpet setup")


def test_an_agent_that_is_connected_in_one_project_counts(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup", host="claude-code", project=True)
    found = sandbox.json("doctor")
    assert found["agents"] == f"Claude Code in {sandbox.project}"
    assert found["warnings"] == []


def test_a_python_that_is_gone_is_found(sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = sandbox.folder / "a 'venv' with $ and \"" / "python"
    gone.parent.mkdir()
    gone.symlink_to(sys.executable)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(gone))
        sandbox.ask("setup")
    assert problems(sandbox) == []
    gone.unlink()
    found = sandbox.ask("doctor").problems
    assert {problem.where for problem in found} == {str(gone)}
    assert len(found) == 4 and all(problem.what.endswith("run: limpet setup") for problem in found)
    sandbox.ask("setup")
    assert problems(sandbox) == []


def test_a_shim_is_found(sandbox: Sandbox, user_home: Path) -> None:
    script = sandbox.folder / "python"
    script.write_text("#!/bin/sh\nexec pyenv exec python\n")
    assert is_shim(str(script)) and is_shim("/home/you/.pyenv/shims/python") and not is_shim(sys.executable)
    sandbox.ask("setup")
    path = sandbox.home / "runtime.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "python": str(script)}))
    assert any("is a shim" in problem for problem in problems(sandbox))


def test_limpet_gone_from_where_the_hooks_look_is_found(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    path = sandbox.home / "runtime.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "path": [str(sandbox.folder)], "version": "0.0.1"}))
    assert problems(sandbox) == ["Limpet is not where the hooks look for it; run: limpet setup"]
    assert any("wired by version 0.0.1" in note for note in sandbox.ask("doctor").notes)
    path.unlink()
    assert problems(sandbox) == ["the file that says what to start is missing or damaged; run: limpet setup"]


def test_settings_and_plugin_at_once_are_found(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    path = user_home / ".claude/settings.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "enabledPlugins": {"limpet@limpet": True}}))
    assert problems(sandbox) == ["Claude Code is wired twice, by settings and plugin; run: limpet setup"]
    sandbox.ask("setup")
    assert problems(sandbox) == []
    assert sandbox.json("doctor")["agents"].startswith("Claude Code by its plugin")


@pytest.mark.parametrize("path", [".:/usr/bin", "/usr/bin::/bin", "bin:/usr/bin"])
def test_a_path_that_leads_the_plugin_into_the_repository_is_told(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (user_home / ".claude/settings.json").write_text(json.dumps({"enabledPlugins": {"limpet@limpet": True}}))
    sandbox.ask("setup")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert sandbox.ask("doctor").warnings == []
    monkeypatch.setenv("PATH", path)
    [warning] = sandbox.ask("doctor").warnings
    assert "may start the `python3` of a repository" in warning


def test_a_hook_given_twice_is_found(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    path = user_home / ".gemini/settings.json"
    data = json.loads(path.read_text())
    data["hooks"]["AfterTool"] *= 2
    path.write_text(json.dumps(data))
    assert problems(sandbox) == ["Gemini CLI has the same Limpet hook twice; run: limpet setup"]
    sandbox.ask("setup")
    assert problems(sandbox) == []


def test_what_is_missing_is_found(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    (user_home / ".claude.json").unlink()
    path = user_home / ".codex/hooks.json"
    data = json.loads(path.read_text())
    del data["hooks"]["Stop"]
    path.write_text(json.dumps(data))
    assert problems(sandbox) == [
        "the MCP server is missing in the settings of Claude Code; run: limpet setup",
        "1 hooks are missing in the settings of Codex; run: limpet setup",
    ]
    sandbox.ask("setup")
    assert problems(sandbox) == []


def test_settings_that_cannot_be_read_are_found(sandbox: Sandbox, user_home: Path) -> None:
    (user_home / ".gemini/settings.json").write_text("{")
    found = sandbox.ask("doctor").problems
    assert [problem.where for problem in found] == [str(user_home / ".gemini/settings.json")]


def test_what_an_interrupted_write_left_is_found_and_removed(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    left = user_home / ".claude/settings.json.123.0a1b2c3d.tmp"
    left.write_text("{}")
    (user_home / ".claude/settings.json.bak").write_text("mine")
    found = sandbox.ask("doctor").problems
    assert [(problem.where, problem.fixable) for problem in found] == [(str(left), True)]
    assert any(str(left) in text for text in sandbox.ask("doctor", fix=True).mended)
    assert not left.exists() and (user_home / ".claude/settings.json.bak").exists()
    assert problems(sandbox) == []


def test_a_damaged_ledger_is_found(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    (sandbox.home / "wiring.json").write_text("{")
    assert any("move it away" in problem for problem in problems(sandbox))


def test_the_hosts_own_memory_is_named_with_how_both_get_on(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.ask("setup")
    assert not any("its own notes" in note for note in sandbox.ask("doctor").notes)
    memory = user_home / ".claude/projects/-home-you-shop/memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- likes tabs\n")
    (note,) = [note for note in sandbox.ask("doctor").notes if "its own notes" in note]
    assert "never writes them" in note and "autoMemoryEnabled" in note
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    assert not any("its own notes" in note for note in sandbox.ask("doctor").notes)


def write_log(sandbox: Sandbox, *rows: dict[str, object]) -> None:
    log = sandbox.home / "hook.log"
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows) + 'damaged\n[]\n{"ms"')
    log.chmod(0o600)


def test_what_the_hooks_logged_is_reported(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    write_log(
        sandbox,
        {"at": sandbox.ms, "event": "PostToolUse", "ms": 180, "error": ""},
        {"at": sandbox.ms, "event": "SessionStart", "ms": 20, "error": "ValueError: oops"},
    )
    found = sandbox.ask("doctor")
    assert found.facts["hooks"] == "1 failed, 0 late, 1 slow, the longest 180 ms"
    assert found.warnings == ["hooks failed 1 time since 2026-03-01 12:00 UTC, last 'SessionStart': ValueError: oops"]


def test_answers_that_were_too_late_are_counted_with_since_when_and_why(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    place = "limpet.store.context.hold"
    write_log(
        sandbox,
        {"at": sandbox.ms, "event": "UserPromptSubmit", "ms": 1500, "error": "", "late": place},
        {"at": sandbox.ms + 60_000, "event": "UserPromptSubmit", "ms": 1500, "error": "", "late": place},
        {"at": sandbox.ms + 60_000, "event": "SessionStart", "ms": 3000, "error": "", "late": place},
    )
    [warning] = sandbox.ask("doctor").warnings
    assert "too late 3 times since 2026-03-01 12:00 UTC" in warning
    assert "UserPromptSubmit 2, SessionStart 1" in warning
    assert f"the last had 3000 ms and was in {place}" in warning


def test_what_was_logged_long_ago_is_no_warning(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    write_log(sandbox, {"at": sandbox.ms, "event": "SessionStart", "ms": 20, "error": "ValueError: oops"})
    assert sandbox.ask("doctor").warnings
    sandbox.ms += 8 * DAY
    assert sandbox.ask("doctor").warnings == []


def test_a_stage_that_failed_is_reported(sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.ask("setup")
    monkeypatch.setattr(clock, "now_ms", lambda: sandbox.ms)
    with sandbox.open() as runtime:
        runtime.log("capture failed at ToolFinished: ValueError: oops")
        runtime.log("temporal failed at TurnEnded: KeyError: 'x'")
    told = "2 steps of learning or answering failed and were skipped, last: temporal failed at TurnEnded: KeyError: 'x'"
    assert sandbox.ask("doctor").warnings == [told]


@pytest.mark.parametrize("path", ["/usr/bin/python3", "/a b/python", '/a"b$c`d\\e/python'])
def test_the_program_of_a_command_line_is_read_back(path: str) -> None:
    launcher = wiring.Launcher(python=path, hook="/x/limpet/cli/run_hook.py", path=(), version="1")
    assert _parse_program(wiring.command_line(launcher, "upkeep")) == path
