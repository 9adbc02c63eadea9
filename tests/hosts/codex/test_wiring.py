"""Where Codex keeps its settings, and what is written there."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.hosts.codex import wiring
from limpet.hosts.wiring import Launcher
from limpet.lean.record import replace

LAUNCHER = Launcher(python="/usr/bin/python3", hook="/lib/limpet/cli/run_hook.py", path=(), version="1")


def test_hooks_and_server_have_a_file_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    hooks, server = wiring.list_settings_files(LAUNCHER)
    assert (hooks.path, server.path) == (str(tmp_path / "hooks.json"), str(tmp_path / "config.toml"))
    assert (server.syntax, server.server is not None, hooks.server) == ("toml", True, None)


def test_a_project_has_its_own_files(tmp_path: Path) -> None:
    assert [file.path for file in wiring.list_settings_files(LAUNCHER, project=str(tmp_path))] == [
        str(tmp_path / ".codex" / "hooks.json"),
        str(tmp_path / ".codex" / "config.toml"),
    ]


def test_on_windows_a_path_without_spaces_is_not_quoted() -> None:
    plain = replace(LAUNCHER, windows=True, python="C:/limpet/python.exe", hook="C:/limpet/hook.py")
    assert wiring.format_command(plain) == "C:\\limpet\\python.exe -I -S C:\\limpet\\hook.py --host codex || exit 0"
    assert '"' in wiring.format_command(replace(plain, python="C:/Ann Lee/python.exe"))
