"""Recognise what a tool does, whatever its host calls it.

Names are compared without case and punctuation, since one host writes `ReadFile` where the next writes `read_file`. The
action of an unknown tool is OTHER. The module `outside` decides whose words a result contains.
"""

from __future__ import annotations

from limpet.hosts import HOSTS, names_of
from limpet.hosts.own_names import TOOLS, is_our_server_name, split_tool
from limpet.model.event import Action

# Tools of clients that have no folder here.
_ELSEWHERE = {
    "run": "run_command",
    "read": "view view_file open_file",
    "edit": "edit_file create_file str_replace str_replace_editor str_replace_based_edit_tool",
    "search": "find_files",
}


def _normalise_name(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


_ACTIONS = {
    _normalise_name(name): Action(action)
    for tools in (_ELSEWHERE, *(names_of(host).TOOLS for host in HOSTS))
    for action, names in tools.items()
    for name in names.split()
}
_CONTENT_TOOLS = frozenset(name for host in HOSTS for name in names_of(host).CONTENT_TOOLS)


def action_of(tool: str) -> Action:
    """Return the kind of action that a tool of any host performs."""
    server, name = split_tool(tool)
    if name in TOOLS or is_our_server_name(server):
        return Action.MEMORY
    return Action.OTHER if server else _ACTIONS.get(_normalise_name(name), Action.OTHER)


def shows_content(tool: str) -> bool:
    """Tell whether a tool only returns content of the project, which can be read again."""
    return tool in _CONTENT_TOOLS


def is_known_tool(tool: str) -> bool:
    """Tell whether a tool is one that a known host brings itself."""
    return _normalise_name(split_tool(tool)[1]) in _ACTIONS


def qualify_tool(server: str, tool: str) -> str:
    """Return the name of a server's tool in one spelling, for hosts that report the server and the bare name."""
    return tool if not server or tool.startswith("mcp_") else f"mcp__{server}__{tool}"
