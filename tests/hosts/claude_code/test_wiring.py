"""Where Claude Code keeps its settings, and what is written there."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from pathlib import Path

import pytest

from limpet.hosts.claude_code import wiring
from limpet.hosts.wiring import Launcher

LAUNCHER = Launcher(python="/usr/bin/python3", hook="/lib/limpet/cli/run_hook.py", path=(), version="1")


def test_the_folder_is_that_of_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    assert wiring.host_folder() == str(tmp_path / "moved")
    assert wiring.servers_file() == str(tmp_path / "moved" / ".claude.json")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (wiring.host_folder(), wiring.servers_file()) == (str(tmp_path / ".claude"), str(tmp_path / ".claude.json"))


def test_a_project_has_its_own_files(tmp_path: Path) -> None:
    hooks, server = wiring.list_settings_files(LAUNCHER, project=str(tmp_path))
    assert (hooks.path, server.path) == (str(tmp_path / ".claude" / "settings.json"), str(tmp_path / ".mcp.json"))
    assert hooks.project and server.project and server.server is not None


@pytest.mark.parametrize(
    ("listed", "state"), [({"limpet@x": True}, "enabled"), ({"limpet@x": False}, "disabled"), ({}, "")]
)
def test_the_plugin_is_known_by_the_settings(tmp_path: Path, listed: dict[str, bool], state: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"enabledPlugins": listed}))
    assert wiring.plugin_state(str(path)) == state
    assert wiring.plugin_state(str(tmp_path / "none.json")) == ""


def test_the_notes_of_the_host_are_mentioned_only_if_there_are_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", raising=False)
    assert wiring.describe_notes() == ""
    (tmp_path / "projects" / "shop" / "memory").mkdir(parents=True)
    (tmp_path / "projects" / "shop" / "memory" / "MEMORY.md").write_text("one\n")
    assert "for 1 project." in wiring.describe_notes()
    (tmp_path / "settings.json").write_text('{"autoMemoryEnabled": false}')
    assert wiring.describe_notes() == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_place_of_the_settings_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", raising=False)
    pipe = tmp_path / "settings.json"
    os.mkfifo(pipe)
    text = b'{"enabledPlugins": {"limpet@x": true}, "autoMemoryEnabled": false}'

    def answer_readers() -> None:
        # A reader that waits gets an answer, so that this test fails instead of waiting, too.
        for _ in range(2):
            with contextlib.suppress(BrokenPipeError):
                pipe.write_bytes(text)

    writer = threading.Thread(target=answer_readers, daemon=True)
    writer.start()
    assert wiring.plugin_state() == ""
    assert wiring.keeps_notes()
    while writer.is_alive():
        os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(0.01)
