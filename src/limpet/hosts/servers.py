"""Tell whether a host knows Limpet's MCP server, so that its model can use the tools."""

from __future__ import annotations

import os

from limpet.environment import environment, make_absolute
from limpet.errors import SettingsError
from limpet.hosts import names_of
from limpet.hosts.own_names import SERVER
from limpet.system import read_regular

_LARGEST = 16 << 20


def has_server(host: str, project: str | None) -> bool:
    """Tell whether Limpet's plugin started this hook, or a settings file of the host names Limpet's server.

    The files are searched for the name and not parsed, because a hook has little time.
    """
    if environment().get("CLAUDE_PLUGIN_ROOT"):
        # The plugin has the server too.
        return True
    return any(_is_named_in(path) for path in _list_files(host, project))


def _list_files(host: str, project: str | None) -> list[str]:
    variable, folder, own, shared = names_of(host).SERVER_FILES
    env = environment()
    moved = env.get(variable, "").strip() if variable else ""
    found = [] if project is None else [os.path.join(project, shared)]
    try:
        return [*found, make_absolute(os.path.join(moved or os.path.join("~", folder), own), env)]
    except SettingsError:
        return found


def _is_named_in(path: str) -> bool:
    try:
        # A repository can have a pipe in the place of its file, which would hold the hook.
        text = read_regular(path, _LARGEST)
    except (OSError, ValueError):
        return False
    return any(name in text for name in (f'"{SERVER}"'.encode(), f"mcp_servers.{SERVER}]".encode()))
