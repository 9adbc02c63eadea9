"""Curation by the host's own model is offered with its price, and is off unless the user takes it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from limpet.cli.offer import measure_sessions
from tests.cli.shell import Shell, plain
from tests.learning.sessions import make

QUESTION = "May claude read each session when it is over, to choose what is kept and to sum it up?"


@pytest.fixture
def you(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home folder of a user of Claude Code, whose program is on the path."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    folder = shell.folder / "programs"
    folder.mkdir()
    (folder / "claude").write_text("#!/bin/sh\nexit 1\n")
    (folder / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    (shell.nobody / ".claude").mkdir()
    return shell.nobody


def provider(shell: Shell) -> tuple[str, int]:
    listed = {each["key"]: each["value"] for each in shell.ask("config", "llm")["settings"]}
    return listed["llm.provider"], listed["llm.daily_tokens"]


@pytest.mark.usefixtures("you")
def test_a_yes_switches_it_on_under_a_limit(shell: Shell) -> None:
    done = shell.on_a_terminal("setup", answers=[("y yes", "y"), ("how many notes wait?", "n")])
    assert QUESTION in plain(done.out) and "never more than 60,000 a day" in plain(done.out)
    assert provider(shell) == ("claude", 60_000)
    assert QUESTION not in plain(shell.on_a_terminal("setup", typed="n").out), "who has decided is not asked again"


@pytest.mark.usefixtures("you")
@pytest.mark.parametrize("key", ["n", "q", "\x1b", "\x03", "\r", "x"])
def test_anything_else_leaves_it_off(shell: Shell, key: str) -> None:
    done = shell.on_a_terminal("setup", answers=[("y yes", key), ("how many notes wait?", "n")])
    assert done.code == 0
    assert provider(shell) == ("", 0)
    assert not (shell.home / "config.toml").exists()


@pytest.mark.usefixtures("you")
def test_nobody_is_asked_without_a_terminal_in_a_dry_run_or_in_an_agent(shell: Shell) -> None:
    for done in (
        shell.start("setup", stdin=b"y\n"),
        shell.on_a_terminal("setup", piped=b"y\n"),
        shell.on_a_terminal("setup", "--json"),
        shell.on_a_terminal("setup", "--dry-run"),
        shell.on_a_terminal("setup", env={"CLAUDECODE": "1"}),
    ):
        assert QUESTION not in done.out
    assert provider(shell) == ("", 0)


def test_without_the_program_nobody_is_asked(shell: Shell, you: Path) -> None:
    os.unlink(shell.folder / "programs" / "claude")
    assert QUESTION not in shell.on_a_terminal("setup", typed="n").out


def test_the_price_is_measured_on_the_users_own_sessions(shell: Shell, you: Path) -> None:
    first = plain(shell.on_a_terminal("setup", answers=[("y yes", "n")]).out)
    assert re.search(r"It costs at most (?:9|10),\d00 tokens a session, for two requests with short replies", first)
    make(you / ".claude", [shell.cwd], 3)
    then = plain(shell.on_a_terminal("setup", answers=[("y yes", "n")]).out)
    assert re.search(
        r"about [\d,]+ tokens a session, for two requests with short replies, from [\d,]+ to [\d,]+ in your last 3",
        then,
    )
    measured = measure_sessions(["claude-code"], 6000)
    assert len(measured) == 3 and all(500 < tokens < 10_500 for tokens in measured)


def test_a_session_that_cannot_be_read_costs_nothing(shell: Shell, you: Path) -> None:
    make(you / ".claude", [shell.cwd], 1)
    (you / ".claude" / "projects" / "-x").mkdir()
    (you / ".claude" / "projects" / "-x" / "broken.jsonl").write_bytes(b"\xff\x00{\n" * 100)
    assert len(measure_sessions(["claude-code"], 6000)) == 1


@pytest.mark.parametrize(("key", "is_added"), [("y", True), ("n", False), ("\x03", False)])
def test_the_status_line_is_added_only_after_a_yes(
    shell: Shell, you: Path, monkeypatch: pytest.MonkeyPatch, key: str, is_added: bool
) -> None:
    monkeypatch.setenv("PATH", str(shell.nobody / "empty"))
    settings = you / ".claude" / "settings.json"
    settings.write_text('{"theme": "dark"}\n')
    done = shell.on_a_terminal("setup", answers=[("y yes", key)])
    assert done.code == 0
    assert ("statusLine" in json.loads(settings.read_text())) is is_added
    # It is asked again only if it is not there.
    assert ("how many notes wait?" in shell.on_a_terminal("setup", typed="n").out) is not is_added
    shell.say("uninstall")
    assert settings.read_text() == '{"theme": "dark"}\n'


def test_nobody_is_asked_who_has_a_status_line(shell: Shell, you: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(shell.nobody / "empty"))
    text = '{"statusLine": {"type": "command", "command": "~/line.sh"}}'
    (you / ".claude" / "settings.json").write_text(text)
    done = shell.on_a_terminal("setup", typed="n")
    assert "status line" not in done.out
    assert shell.say("setup", "--statusline").code == 0
    assert json.loads((you / ".claude" / "settings.json").read_text())["statusLine"]["command"] == "~/line.sh"
