"""Gemini CLI's settings: hooks under names of its own, with times in milliseconds, and the server, all in one file."""

from __future__ import annotations

import os

from limpet.hosts.wiring import HOOKS, Launcher, SettingsFile, command_line, folder_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOST = "gemini"
PROGRAM = "gemini"


def folder() -> str:
    # Gemini CLI has no variable for its folder.
    return folder_named("", ".gemini")


def files(launcher: Launcher, *, project: str | None = None) -> tuple[SettingsFile, ...]:
    place = folder() if project is None else os.path.join(project, ".gemini")
    command = command_line(launcher, "--host", HOST)
    if launcher.windows:
        # There it asks PowerShell, where a quoted path is a text unless it is called, and old ones know no `||`.
        command = f"& {command.replace(' || ', '; ')}"
    groups: list[tuple[str, dict[str, Any]]] = [
        (
            hook.gemini,
            {"hooks": [{"name": "limpet", "type": "command", "command": command, "timeout": hook.timeout * 1000}]},
        )
        for hook in HOOKS
        if hook.gemini
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
