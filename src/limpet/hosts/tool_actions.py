"""Find out what a tool does from its name, for the tools of all hosts.

Names are compared ignoring case and punctuation, because one host writes `ReadFile` and another `read_file`. An unknown
tool has the action OTHER.
"""

from __future__ import annotations

from limpet.hosts import HOSTS, names_of
from limpet.hosts.own_names import TOOLS, is_our_server_name, split_tool
from limpet.model.event import Action

# Tools of clients that have no folder here.
_OTHER_TOOLS = {
    "run": "run_command",
    "read": "view view_file open_file",
    "edit": "edit_file create_file str_replace str_replace_editor str_replace_based_edit_tool",
    "search": "find_files",
}


def _normalise_name(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


_ACTIONS = {
    _normalise_name(name): Action(action)
    for tools in (_OTHER_TOOLS, *(names_of(host).TOOLS for host in HOSTS))
    for action, names in tools.items()
    for name in names.split()
}
_CONTENT_TOOLS = frozenset(name for host in HOSTS for name in names_of(host).CONTENT_TOOLS)


def action_of(tool: str) -> Action:
    """Return what kind of action a tool performs; OTHER for an unknown tool."""
    server, name = split_tool(tool)
    if name in TOOLS or is_our_server_name(server):
        return Action.MEMORY
    return Action.OTHER if server else _ACTIONS.get(_normalise_name(name), Action.OTHER)


def shows_content(tool: str) -> bool:
    """Tell whether a tool only shows files or folders of the project, which can be read again at any time."""
    return tool in _CONTENT_TOOLS


def is_known_tool(tool: str) -> bool:
    """Tell whether a tool is built into a known host."""
    return _normalise_name(split_tool(tool)[1]) in _ACTIONS


def qualify_tool(server: str, tool: str) -> str:
    """Combine the names of an MCP server and its tool into `mcp__server__tool`; return `tool` if `server` is empty."""
    return tool if not server or tool.startswith("mcp_") else f"mcp__{server}__{tool}"
