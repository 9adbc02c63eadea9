"""A host knows Limpet's server if the plugin is in use, or if one of its settings files names the server."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.hosts import HOSTS
from limpet.hosts.own_names import SERVER
from limpet.hosts.servers import has_server
from limpet.hosts.wiring import Launcher, add, list_settings_files

LAUNCHER = Launcher(python="/usr/bin/python3", hook="/x/run_hook.py", path=(), version="1")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_PLUGIN_ROOT", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("in_project", [False, True], ids=["the user's file", "the project's file"])
def test_a_file_that_setup_writes_names_the_server(host: str, in_project: bool, tmp_path: Path) -> None:
    project = str(tmp_path / "shop")
    assert not has_server(host, project)
    for file in list_settings_files(host, LAUNCHER, project=project if in_project else None):
        if file.server:
            Path(file.path).parent.mkdir(parents=True, exist_ok=True)
            named = json.dumps({"mcpServers": {SERVER: file.server}})
            Path(file.path).write_text(add("", file) if file.syntax == "toml" else named)
    assert has_server(host, project)


def test_a_folder_that_was_moved_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved" / ".claude.json").write_text(json.dumps({"mcpServers": {SERVER: {}}}))
    assert not has_server("claude-code", None)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    assert has_server("claude-code", None)


def test_the_plugin_has_the_server_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", "/plugin")
    assert has_server("claude-code", None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_a_pipe_in_the_place_of_a_file_does_not_hold_a_hook(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".mcp.json")
    assert not has_server("claude-code", str(tmp_path))
