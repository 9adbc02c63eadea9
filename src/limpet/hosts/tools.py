"""Tell what a tool does, and whether its output was written by somebody outside.

Names are compared without case and punctuation, since one host writes `ReadFile` where the next writes `read_file`.
The action of an unknown tool is OTHER, and its output counts as written by somebody outside.
"""

from __future__ import annotations

from limpet.hosts import HOSTS, names_of
from limpet.hosts.ours import TOOLS, is_our_server_name, split_tool
from limpet.model.event import Action, ToolFinished

# Tools of clients that have no folder here.
_ELSEWHERE = {
    "run": "run_command",
    "read": "view view_file open_file",
    "edit": "edit_file create_file str_replace str_replace_editor str_replace_based_edit_tool",
    "search": "find_files",
}


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


_ACTIONS = {
    _plain(name): Action(action)
    for tools in (_ELSEWHERE, *(names_of(host).TOOLS for host in HOSTS))
    for action, names in tools.items()
    for name in names.split()
}
_CONTENT_TOOLS = frozenset(name for host in HOSTS for name in names_of(host).CONTENT_TOOLS)

_FETCHERS = frozenset(
    (
        *("curl", "wget", "lynx", "w3m", "links", "elinks", "http", "https", "xh", "aria2c", "gh", "glab"),
        *("iwr", "irm", "invoke-webrequest", "invoke-restmethod"),
    )
)
# Words after which a command may stand.
_PREFIXES = frozenset(
    (
        *("sudo", "env", "time", "nohup", "xargs", "command", "exec", "do", "then", "else", "!", "{", "if", "while"),
        *("timeout", "nice", "stdbuf", "bash", "sh", "zsh", "watch", "until", "elif", "ionice", "setsid"),
    )
)
_SEPARATORS = ("&&", "||", "|", ";", "&", "(", ")", "`", "\n")
_LOOPBACK = ("localhost", "[::1]", "0.0.0.0")


def action_of(tool: str) -> Action:
    """Return what kind of thing a tool of any host does."""
    server, name = split_tool(tool)
    if name in TOOLS or is_our_server_name(server):
        return Action.MEMORY
    return Action.OTHER if server else _ACTIONS.get(_plain(name), Action.OTHER)


def shows_content(tool: str) -> bool:
    """Tell whether a tool answers with what lies in the project anyway."""
    return tool in _CONTENT_TOOLS


def is_external(event: ToolFinished) -> bool:
    """Tell whether a result was written by somebody outside: a web page, another server, a tool we do not know."""
    server, name = split_tool(event.tool)
    if server:
        return not is_our_server_name(server)
    if event.action is Action.RUN:
        whole = event.input.get("command")
        return _fetches(whole if isinstance(whole, str) else event.command)
    if event.action is Action.OTHER:
        return _plain(name) not in _ACTIONS
    return event.action is Action.FETCH


def qualify_tool(server: str, tool: str) -> str:
    """Return a server's tool in one spelling, for hosts that report the server beside the bare name."""
    return tool if not server or tool.startswith("mcp_") else f"mcp__{server}__{tool}"


def _fetches(command: str) -> bool:
    """Tell whether a shell command asks another machine. One that only asks this machine is the agent's own."""
    for separator in _SEPARATORS:
        command = command.replace(separator, _SEPARATORS[0])
    return any(_asks_elsewhere(each.split()) for each in command.split(_SEPARATORS[0]))


def _asks_elsewhere(words: list[str]) -> bool:
    """Tell the same of a single command. One that names no place may ask any."""
    expected, fetching, places = True, False, []
    for word in (each.strip("\"'$") for each in words):
        if expected and ("=" in word or word in _PREFIXES or word[:1] == "-" or word.isdigit()):
            # Options and values of a prefix: `timeout 20`, `bash -c`.
            continue
        if expected:
            fetching, expected = word.rpartition("/")[2].lower() in _FETCHERS, False
        elif "://" in word or _is_here(word):
            places.append(word.partition("://")[2] or word)
    return fetching and not (places and all(map(_is_here, places)))


def _is_here(place: str) -> bool:
    host = place.partition("/")[0].rpartition("@")[2]
    host = host if host.endswith("]") else host.partition(":")[0] or host.rpartition(":")[0]
    return host in _LOOPBACK or (host.startswith("127.") and host.replace(".", "").isdigit())
