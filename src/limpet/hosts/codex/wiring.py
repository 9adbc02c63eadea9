"""Describe Limpet's entries in the settings of Codex: hooks in `hooks.json`, and the MCP server in `config.toml`."""

from __future__ import annotations

import os

from limpet.hosts.codex import EVENTS, HOST
from limpet.hosts.wiring import Launcher, SettingsFile, command_line, folder_named, hooks_without_upkeep


def host_folder() -> str:
    return folder_named("CODEX_HOME", ".codex")


def list_settings_files(launcher: Launcher, *, project: str | None = None) -> tuple[SettingsFile, ...]:
    place = host_folder() if project is None else os.path.join(project, ".codex")
    groups = tuple(
        (name, {"hooks": [{"type": "command", "command": format_command(launcher), "timeout": hook.timeout}]})
        for name, hook in hooks_without_upkeep(EVENTS)
    )
    return (
        SettingsFile(host=HOST, path=os.path.join(place, "hooks.json"), groups=groups, project=project is not None),
        SettingsFile(
            host=HOST,
            path=os.path.join(place, "config.toml"),
            server=launcher.server,
            syntax="toml",
            project=project is not None,
        ),
    )


def format_command(launcher: Launcher) -> str:
    """Return the command line that starts the hook program."""
    # On Windows, Codex uses cmd, which drops the first and the last quotation mark, so simple paths are not quoted.
    plain = f"{launcher.python} -I -S {launcher.hook} --host {HOST} || exit 0".replace("/", "\\")
    if launcher.windows and not set(launcher.python + launcher.hook).intersection(" &()^%!;,="):
        return plain
    return command_line(launcher, "--host", HOST)
