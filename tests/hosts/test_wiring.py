"""What the hosts' settings must hold: one table of hooks, command lines that every shell understands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.hooks.incoming import ANSWERED, QUEUED
from limpet.hosts import HOSTS, names_of, wiring
from limpet.hosts.events import event_name
from limpet.hosts.own_names import is_our_command
from limpet.hosts.wiring import HOOKS, Launcher, command_line, is_our_server, list_settings_files

PLAIN = Launcher(python="/usr/bin/python3", hook="/lib/limpet/cli/run_hook.py", path=(), version="1")
WINDOWS = Launcher(
    python=r"C:\Users\Ann Lee\limpet\Scripts\python.exe",
    hook=r"C:\Users\Ann Lee\limpet\Lib\site-packages\limpet\cli\run_hook.py",
    path=(),
    version="1",
    windows=True,
)

# What Claude Code 2.1.325 knows, Codex's own subset of it, and Gemini CLI's names.
KNOWN = {
    "claude-code": {
        *("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse"),
        "PostToolUseFailure",
        *("PreCompact", "PostCompact", "SubagentStart", "Stop", "SessionEnd"),
    },
    "codex": {
        *("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "SubagentStart", "Stop"),
    },
    "gemini": {"SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd"},
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_given_the_events_it_knows(host: str) -> None:
    events = {event for file in list_settings_files(host, PLAIN) for event, _ in file.groups}
    assert events == KNOWN[host]
    assert sum(file.server is not None for file in list_settings_files(host, PLAIN)) == 1


def test_every_event_that_is_wired_is_known_to_the_hook_program_and_to_the_readers() -> None:
    assert {each.event for each in HOOKS} == QUEUED | ANSWERED
    for host in HOSTS:
        for name, event in names_of(host).EVENTS.items():
            assert event in QUEUED | ANSWERED
            assert event_name({"hook_event_name": name}, host=host) == event


def test_what_takes_long_is_not_waited_for() -> None:
    background = {(hook.event, hook.argument) for hook in HOOKS if hook.background}
    assert background == {("SessionStart", "upkeep"), ("Stop", "upkeep"), ("SessionEnd", "")}
    assert all(hook.timeout <= 10 for hook in HOOKS if not hook.background)


def test_times_are_in_the_hosts_own_measure() -> None:
    """Milliseconds where seconds are read make a start of an hour; seconds where milliseconds are read make none."""
    seconds = {hook.timeout for hook in HOOKS}
    for host in ("claude-code", "codex"):
        for _, group in list_settings_files(host, PLAIN)[0].groups:
            assert group["hooks"][0]["timeout"] in seconds
    assert all(
        1000 <= group["hooks"][0]["timeout"] <= 10_000 for _, group in list_settings_files("gemini", PLAIN)[0].groups
    )


def test_only_claude_code_is_given_hooks_in_the_background() -> None:
    for host in HOSTS:
        asynchronous = [
            group for file in list_settings_files(host, PLAIN) for _, group in file.groups if "async" in str(group)
        ]
        assert bool(asynchronous) == (host == "claude-code")


@pytest.mark.parametrize(
    "folder",
    ["plain", "with space", "with 'quote'", 'with "two"', "with $HOME", "with `tick`", "back\\slash", "ünï 漢字"],
)
def test_a_shell_starts_the_program_wherever_it_lies(tmp_path: Path, folder: str) -> None:
    place = tmp_path / folder / "limpet" / "cli"
    place.mkdir(parents=True)
    (place / "run_hook.py").write_text("import sys; print(sys.argv[1:], sys.flags.isolated, sys.flags.no_site)")
    python = tmp_path / folder / "python"
    python.symlink_to(sys.executable)
    launcher = Launcher(python=str(python), hook=str(place / "run_hook.py"), path=(), version="1")
    line = command_line(launcher, "--host", "codex")
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.stdout == "['--host', 'codex'] 1 1\n", done.stderr
    assert is_our_command(line)
    assert json.loads(json.dumps(line)) == line


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("missing", ["hook", "python"])
def test_settings_that_outlive_limpet_stop_nobody(tmp_path: Path, host: str, missing: str) -> None:
    """A Python without its program ends with 2, and a host takes that for an order to stop the user's prompt."""
    gone = str(tmp_path / "limpet/cli/run_hook.py")
    python = str(tmp_path / "python") if missing == "python" else sys.executable
    launcher = Launcher(python=python, hook=gone, path=(), version="1")
    for _, group in list_settings_files(host, launcher)[0].groups:
        line = group["hooks"][0]["command"]
        done = subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"")


def test_on_windows_each_shell_is_given_what_it_understands() -> None:
    slashed = '"C:/Users/Ann Lee/limpet/Scripts/python.exe" -I -S '
    claude = list_settings_files("claude-code", WINDOWS)[0].groups[0][1]["hooks"][0]["command"]
    assert claude == slashed + '"C:/Users/Ann Lee/limpet/Lib/site-packages/limpet/cli/run_hook.py" || exit 0'
    gemini = list_settings_files("gemini", WINDOWS)[0].groups[0][1]["hooks"][0]["command"]
    assert gemini.startswith("& " + slashed) and gemini.endswith("--host gemini; exit 0")
    short = Launcher(
        python=r"C:\py\python.exe", hook=r"C:\py\limpet\cli\run_hook.py", path=(), version="1", windows=True
    )
    codex = list_settings_files("codex", short)[0].groups[0][1]["hooks"][0]["command"]
    assert codex == r"C:\py\python.exe -I -S C:\py\limpet\cli\run_hook.py --host codex || exit 0"
    assert is_our_command(codex) and is_our_command(claude)


def test_no_shell_is_needed_beyond_the_one_that_starts_us() -> None:
    for host in HOSTS:
        for launcher in (PLAIN, WINDOWS):
            for file in list_settings_files(host, launcher):
                for _, group in file.groups:
                    command = group["hooks"][0]["command"]
                    assert not any(word in command for word in ("curl", "jq", "bash", ">", "$"))


def test_others_are_not_taken_for_us() -> None:
    assert not is_our_command('node "/home/you/.claude/plugins/claude-mem/hook.js"')
    assert not is_our_command("limpet-like/cli/hook")
    assert not is_our_command(None)
    assert not is_our_server({"command": "uvx", "args": ["other", "mcp"]})
    assert not is_our_server({"command": "uvx", "args": None})
    assert is_our_server(PLAIN.server)


def test_a_module_in_the_repository_cannot_take_our_place(tmp_path: Path) -> None:
    """A host starts the server in the repository: what is called like a module of ours there must not be loaded."""
    (tmp_path / "limpet.py").write_text("raise SystemExit('taken over')")
    command = Launcher(python=sys.executable, hook="x", path=(), version="1").server
    line = [command["command"], *command["args"][:-2], "limpet", "--version"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "taken over" not in done.stderr, done


def test_a_host_is_there_if_its_folder_or_its_program_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    assert not wiring.is_present("codex")
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert wiring.is_present("codex")
    program.unlink()
    (tmp_path / ".codex").mkdir()
    assert wiring.is_present("codex")


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_has_every_entry_once(host: str) -> None:
    for file in wiring.list_settings_files(host, PLAIN):
        made = wiring.add("", file)
        hooks, server = wiring.find_wired(made, file.syntax)
        assert len(hooks) == len(set(hooks)) == len(file.groups)
        assert server == file.server
