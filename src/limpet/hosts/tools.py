"""What the hosts call their tools, and whose words come out of them.

Names are compared without case and punctuation, since one host writes `ReadFile` where the next writes `read_file`.
A name that stands nowhere here is an open set's new member: it is OTHER, and taken to speak for somebody else until
we know better.
"""

from __future__ import annotations

from limpet.model.event import Action, ToolFinished

_NAMES = {
    Action.RUN: (
        "bash shell shellcommand execcommand runshellcommand localshell localshellcall powershell containerexec exec"
        " writestdin bashoutput killshell killbash monitor runcommand unifiedexec readshell writetoshell"
    ),
    Action.READ: "read notebookread readfile readmanyfiles view viewfile viewimage openfile getinternaldocs",
    Action.EDIT: (
        "edit write multiedit notebookedit applypatch replace writefile editfile createfile strreplace"
        " strreplaceeditor strreplacebasededittool"
    ),
    Action.SEARCH: (
        "grep glob ls searchfilecontent grepsearch grepfiles listdirectory listdir findfiles toolsearch lsp"
        " toolsearchcall listmcpresources listmcpresourcestool"
    ),
    Action.FETCH: "webfetch websearch googlewebsearch websearchcall",
    Action.DELEGATE: (
        "task agent spawnagent delegatetoagent invokeagent sendinput sendmessage resumeagent closeagent waitagent"
        " taskoutput agentoutput teamcreate teamdelete"
    ),
    Action.PLAN: (
        "todowrite todoread updateplan enterplanmode exitplanmode taskcreate taskupdate tasklist taskget taskstop"
        " writetodos askuserquestion askuser requestuserinput updatetopic completetask trackercreatetask"
        " trackerupdatetask trackergettask trackerlisttasks trackeradddependency trackervisualize"
    ),
    Action.OTHER: "skill activateskill slashcommand savememory imagegenerationcall sleep enterworktree exitworktree",
}
_ACTIONS = {name: action for action, names in _NAMES.items() for name in names.split()}

# Tools of ours: under whatever name the server was registered, what they say is memory already.
OWN_TOOLS = frozenset(
    (
        *("store_memory", "recall", "list_memories", "get_memory", "update_memory", "forget", "search_by_file"),
        *("search_by_concept", "get_timeline", "store_fact", "query_facts", "ltm_status", "ltm_check", "ltm_fix"),
        *("search_memories", "show_related", "pin_memory", "delete_memory", "purge_expired", "summarize_old"),
        "give_feedback",
    )
)

_FETCHERS = frozenset(
    (
        *("curl", "wget", "lynx", "w3m", "links", "elinks", "http", "https", "xh", "aria2c", "gh", "glab"),
        *("iwr", "irm", "invoke-webrequest", "invoke-restmethod"),
    )
)
# A command may stand behind these.
_CARRIERS = frozenset(
    (
        *("sudo", "env", "time", "nohup", "xargs", "command", "exec", "do", "then", "else", "!", "{", "if", "while"),
        *("timeout", "nice", "stdbuf", "bash", "sh", "zsh", "watch", "until", "elif", "ionice", "setsid"),
    )
)
_SEPARATORS = ("&&", "||", "|", ";", "&", "(", ")", "`", "\n")
_LOOPBACK = ("localhost", "[::1]", "0.0.0.0")


def action_of(tool: str) -> Action:
    """What kind of thing a tool of any host does."""
    server, name = _parts(tool)
    if name in OWN_TOOLS or _is_ours(server):
        return Action.MEMORY
    return Action.OTHER if server else _ACTIONS.get(_plain(name), Action.OTHER)


def is_external(event: ToolFinished) -> bool:
    """Whether what came back was written by somebody outside: a web page, another server, a tool we do not know."""
    server, name = _parts(event.tool)
    if server:
        return not _is_ours(server)
    if event.action is Action.RUN:
        whole = event.input.get("command")
        return _fetches(whole if isinstance(whole, str) else event.command)
    if event.action is Action.OTHER:
        return _plain(name) not in _ACTIONS
    return event.action is Action.FETCH


def qualified(server: str, tool: str) -> str:
    """The one spelling of a server's tool, for hosts that report the server beside the bare name."""
    return tool if not server or tool.startswith("mcp_") else f"mcp__{server}__{tool}"


def _parts(tool: str) -> tuple[str, str]:
    """The server and the bare name: `mcp__server__tool`, or `mcp_server_tool`, whose border nobody can see."""
    if tool.startswith("mcp__"):
        server, _, name = tool[5:].rpartition("__")
        return server or name, name
    if tool.startswith("mcp_"):
        rest = tool[4:]
        for name in OWN_TOOLS:
            if rest.endswith("_" + name):
                return rest[: -len(name) - 1], name
        return rest, rest
    return "", tool


def _is_ours(server: str) -> bool:
    return server in ("limpet", "plugin_limpet_limpet") or server.startswith("limpet_")


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _fetches(command: str) -> bool:
    """Whether a shell command asks another machine; one that only asks this machine is the agent's own."""
    for separator in _SEPARATORS:
        command = command.replace(separator, _SEPARATORS[0])
    return any(_asks_elsewhere(each.split()) for each in command.split(_SEPARATORS[0]))


def _asks_elsewhere(words: list[str]) -> bool:
    """The same of a command that stands alone; one that names no place at all may ask any."""
    expected, fetching, places = True, False, []
    for word in (each.strip("\"'$") for each in words):
        if expected and ("=" in word or word in _CARRIERS or word[:1] == "-" or word.isdigit()):
            # With what is said to a carrier: `timeout 20`, `bash -c`.
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
