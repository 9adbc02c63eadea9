"""Describe Limpet's entries in the settings of Claude Code: hooks in `settings.json`, the server in `.claude.json`.

Limpet's plugin for Claude Code contains both, so these entries are not needed if the plugin is enabled. A plugin cannot
contain a status line.
"""

from __future__ import annotations

import os
from typing import Any

from limpet.environment import environment
from limpet.hosts import jsonc
from limpet.hosts.claude_code import HOST
from limpet.hosts.own_names import PLUGIN
from limpet.hosts.wiring import HOOKS, Hook, Launcher, SettingsFile, command_line, folder_named, home_folder
from limpet.system import read_regular

_LARGEST = 64 << 20


def host_folder() -> str:
    return folder_named("CLAUDE_CONFIG_DIR", ".claude")


def list_settings_files(launcher: Launcher, *, project: str | None = None) -> tuple[SettingsFile, ...]:
    groups = tuple((hook.event, make_group(command_line(launcher, *hook_arguments(hook)), hook)) for hook in HOOKS)
    server = {"type": "stdio", **launcher.server}
    if project is not None:
        settings, servers = os.path.join(project, ".claude", "settings.json"), os.path.join(project, ".mcp.json")
    else:
        settings, servers = os.path.join(host_folder(), "settings.json"), servers_file()
    # A project's settings would replace the status line that the user has in other settings.
    status = {"type": "command", "command": command_line(launcher, "statusline")} if project is None else None
    return (
        SettingsFile(host=HOST, path=settings, groups=groups, status_line=status, project=project is not None),
        SettingsFile(host=HOST, path=servers, server=server, project=project is not None),
    )


def servers_file() -> str:
    """Return the path of the settings file with the user's MCP servers.

    It is next to the configuration folder, or inside it if an environment variable sets another configuration folder.
    """
    moved = environment().get("CLAUDE_CONFIG_DIR", "").strip()
    return os.path.join(host_folder() if moved else home_folder(), ".claude.json")


def hook_arguments(hook: Hook) -> tuple[str, ...]:
    return (hook.argument,) if hook.argument else ()


def make_group(command: str, hook: Hook) -> dict[str, Any]:
    """Return the settings entry of a hook that runs a command line."""
    # In shell form, because older clients ignore `args` and would only start the interpreter.
    call: dict[str, Any] = {"type": "command", "command": command, "timeout": hook.timeout}
    if hook.background:
        call["async"] = True
    return {"matcher": hook.matcher, "hooks": [call]} if hook.matcher else {"hooks": [call]}


def plugin_state(*settings: str) -> str:
    """Return the state of Limpet's plugin, `enabled` or `disabled`; an empty string if no settings file names it.

    `settings` are the paths of settings files, by default the user's. The last one that names the plugin decides.
    """
    found = ""
    for path in settings or (os.path.join(host_folder(), "settings.json"),):
        try:
            listed = _load_settings(path).get("enabledPlugins")
        except (OSError, ValueError):
            continue
        for name, on in listed.items() if isinstance(listed, dict) else ():
            if name.startswith(f"{PLUGIN}@"):
                found = "enabled" if on else "disabled"
    return found


def _load_settings(path: str) -> dict[str, Any]:
    """Parse a settings file; raise OSError or ValueError if it is not a readable regular file with a JSON object."""
    return jsonc.load(read_regular(path, _LARGEST).decode("utf-8"))


def keeps_notes() -> bool:
    """Tell whether Claude Code keeps notes, which an environment variable or its settings can turn off."""
    if environment().get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "") not in ("", "0"):
        return False
    try:
        return _load_settings(os.path.join(host_folder(), "settings.json")).get("autoMemoryEnabled") is not False
    except (OSError, ValueError):
        return True


def describe_notes() -> str:
    """Return a remark for the user about the notes that Claude Code keeps, or an empty string if there are none."""
    if not keeps_notes():
        return ""
    projects = os.path.join(host_folder(), "projects")
    try:
        with os.scandir(projects) as entries:
            count = sum(os.path.isfile(os.path.join(entry.path, "memory", "MEMORY.md")) for entry in entries)
    except OSError:
        count = 0
    if not count:
        return ""
    return (
        f"Claude Code has its own notes for {count} project{'s' if count > 1 else ''}. Both can be on: Limpet "
        'reads those notes and never writes them. "autoMemoryEnabled": false in its settings turns them off'
    )
