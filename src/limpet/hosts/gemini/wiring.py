"""Describe Limpet's entries in the settings of Gemini CLI: hooks and the MCP server are in one file.

Some events have different names than in Claude Code, and timeouts are in milliseconds.
"""

from __future__ import annotations

import os
from typing import Any

from limpet.hosts.gemini import EVENTS, HOST
from limpet.hosts.own_names import SERVER
from limpet.hosts.wiring import Launcher, SettingsFile, command_line, folder_named, hooks_without_upkeep


def host_folder() -> str:
    # Gemini CLI has no environment variable for its folder.
    return folder_named("", ".gemini")


def list_settings_files(launcher: Launcher, *, project: str | None = None) -> tuple[SettingsFile, ...]:
    place = host_folder() if project is None else os.path.join(project, ".gemini")
    command = command_line(launcher, "--host", HOST)
    if launcher.windows:
        # On Windows the host uses PowerShell, where a quoted path needs `&`, and old versions have no `||`.
        command = f"& {command.replace(' || ', '; ')}"
    groups: list[tuple[str, dict[str, Any]]] = [
        (
            name,
            {"hooks": [{"name": SERVER, "type": "command", "command": command, "timeout": hook.timeout * 1000}]},
        )
        for name, hook in hooks_without_upkeep(EVENTS)
    ]
    return (
        SettingsFile(
            host=HOST,
            path=os.path.join(place, "settings.json"),
            groups=tuple(groups),
            server=launcher.server,
            project=project is not None,
        ),
    )
