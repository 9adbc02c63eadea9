"""Where Gemini CLI keeps its settings, and what is written there."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.hosts.gemini import wiring
from limpet.hosts.wiring import Launcher
from limpet.lean.record import replace

LAUNCHER = Launcher(python="/usr/bin/python3", hook="/lib/limpet/cli/run_hook.py", path=(), version="1")


def test_hooks_and_server_are_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (file,) = wiring.list_settings_files(LAUNCHER)
    assert file.path == str(tmp_path / ".gemini" / "settings.json")
    assert file.server is not None and file.groups
    (own,) = wiring.list_settings_files(LAUNCHER, project=str(tmp_path / "shop"))
    assert own.path == str(tmp_path / "shop" / ".gemini" / "settings.json")


def test_on_windows_powershell_calls_the_quoted_path() -> None:
    (file,) = wiring.list_settings_files(replace(LAUNCHER, windows=True))
    commands = [group["hooks"][0]["command"] for _, group in file.groups]
    assert all(command.startswith("& ") and "||" not in command for command in commands)
