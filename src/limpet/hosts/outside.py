"""Recognise tool results from outside the project, such as web pages, answers from other servers, and commits.

Project files and most output of local commands do not count. A command can reach another machine in many ways, so every
command that may do so counts: a false match does little harm.
"""

from __future__ import annotations

import posixpath

from limpet.hosts.own_names import is_our_server_name, split_tool
from limpet.hosts.tool_actions import is_known_tool
from limpet.lean.record import record
from limpet.model.event import Action, ToolFinished
from limpet.model.memory import Origin
from limpet.text.words import word_set

_FETCHERS = frozenset(
    (
        *("curl", "wget", "lynx", "w3m", "links", "elinks", "http", "https", "xh", "aria2c", "gh", "glab"),
        *("iwr", "irm", "invoke-webrequest", "invoke-restmethod", "ftp", "nc", "ncat", "telnet"),
    )
)
# Words that can come before the name of a command.
_PREFIXES = frozenset(
    (
        *("sudo", "env", "time", "nohup", "xargs", "command", "exec", "do", "then", "else", "!", "{", "if", "while"),
        *("timeout", "nice", "stdbuf", "bash", "sh", "zsh", "watch", "until", "elif", "ionice", "setsid", "doas"),
    )
)
_SEPARATORS = ("&&", "||", "|", ";", "&", "(", ")", "`", "\n")
_LOOPBACK = ("localhost", "[::1]", "0.0.0.0")
_INTERPRETERS = ("python", "node", "deno", "bun", "perl", "ruby", "php", "pwsh", "powershell")
# Names by which a script that is given on the command line contacts another machine.
_NETWORK_CALLS = (
    *("urlopen", "urllib", "requests.", "httpx", "aiohttp", "http.client", "http.get", "https.get", "fetch("),
    *("axios", "net::http", "open-uri", "lwp::", "file_get_contents(", "curl_", "socket", "webclient"),
)
_HISTORY_COMMANDS = word_set("log show shortlog whatchanged notes reflog tag fetch pull blame")
_PRINTERS = word_set("cat head tail less more bat sed awk nl grep rg ag strings jq yq get-content type")
# Folders of a project with code by others.
_FOREIGN_FOLDERS = ("node_modules/", "site-packages/", ".venv/", "venv/", "vendor/", "third_party/", ".cargo/")
# Names of instruction files, which the user wrote even if they are in a hidden folder outside the project.
_INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", "MEMORY.md")


@record
class OutsideSource:
    """The source of a tool result from outside the project: its origin, and a name such as a host or file name."""

    origin: Origin
    name: str


def find_outside(event: ToolFinished, *, root: str | None = None) -> OutsideSource | None:
    """Return the source of a tool result from outside the project; None for a result from the project.

    `root` is the project folder. If it is None, every file with an absolute path counts as outside.
    """
    if is_external(event):
        return OutsideSource(origin=Origin.EXTERNAL, name=_name_source(event))
    if event.action is Action.RUN:
        return _find_in_command(whole_command(event), root)
    if event.action in (Action.READ, Action.SEARCH):
        named = event.files_read or tuple(filter(None, [_text(event.input.get("path"))]))
        return _find_outside_file(named, root)
    return None


def is_external(event: ToolFinished) -> bool:
    """Tell whether a tool result comes from a web page, another machine, another MCP server or an unknown tool."""
    server, _ = split_tool(event.tool)
    if server:
        return not is_our_server_name(server)
    if event.action is Action.RUN:
        return _contacts_machine(whole_command(event))
    if event.action is Action.OTHER:
        return not is_known_tool(event.tool)
    return event.action is Action.FETCH


def whole_command(event: ToolFinished) -> str:
    """Return the command that a tool ran, with its line breaks if the host reports them."""
    whole = event.input.get("command", event.input.get("cmd"))
    if isinstance(whole, list):
        return " ".join(map(_text, whole))
    return _text(whole) or event.command


def _name_source(event: ToolFinished) -> str:
    """Return a short name for the source of a result: an MCP server, the host name of a URL, a program or a tool."""
    server, name = split_tool(event.tool)
    if server:
        return server
    for text in (_text(event.input.get("url")), whole_command(event) if event.action is Action.RUN else ""):
        place = text.partition("://")[2]
        if place:
            return _parse_host(place.split()[0].strip("\"'`);"))
    if event.action is Action.RUN:
        words = (word.rpartition("/")[2] for word in event.command.replace("(", " ").split())
        return next((word for word in words if word.lower() in _FETCHERS), "a command")
    return name


def _contacts_machine(command: str) -> bool:
    """Tell whether a shell command contacts a machine other than this one."""
    lowered = command.lower()
    words = [each.strip("\"'$;,") for each in lowered.replace("\n", " ").split()]
    programs = {word.rpartition("=")[2].rpartition("/")[2] for word in words}
    far = [place for word in words if (place := word.partition("://")[2]) and not _is_loopback(place)]
    if any(program.startswith(_INTERPRETERS) for program in programs):
        near = [place for word in words if (place := word.partition("://")[2]) and _is_loopback(place)]
        calls = any(call in lowered for call in _NETWORK_CALLS) and ("://" not in lowered or far or not near)
        if calls or (far and not any(program in ("pip", "pip3", "-m") for program in programs)):
            return True
    if far and not programs.isdisjoint(_FETCHERS):
        # Also if the program is not at the beginning: `docker exec web curl https://…`, `C=curl; $C https://…`.
        return True
    for separator in _SEPARATORS:
        command = command.replace(separator, _SEPARATORS[0])
    return any(_is_download(each.split()) for each in command.split(_SEPARATORS[0]))


def _is_download(words: list[str]) -> bool:
    """Tell whether a simple command runs a download program, unless all of its addresses are on this machine."""
    expected, wrapped, after_option, fetching = True, False, False, False
    places: list[str] = []
    for word in (each.strip("\"'$") for each in words):
        program = word.rpartition("/")[2].lower()
        if expected and ("=" in word or word in _PREFIXES or word[:1] == "-" or word.isdigit()):
            # The options of a prefix and their values: `timeout 20`, `bash -c`, `sudo -u NAME`.
            wrapped, after_option = wrapped or word in _PREFIXES, word[:1] == "-"
        elif expected and wrapped and after_option and program not in _FETCHERS:
            after_option = False
        elif expected:
            fetching, expected = program in _FETCHERS, False
        elif "://" in word or _is_loopback(word):
            places.append(word.partition("://")[2] or word)
    return fetching and not (places and all(map(_is_loopback, places)))


def _find_in_command(command: str, root: str | None) -> OutsideSource | None:
    """Return the source of a command's output if it shows git's history or a file outside the project; else None."""
    for separator in _SEPARATORS:
        command = command.replace(separator, "\n")
    for line in command.splitlines():
        words = [word.strip("\"'") for word in line.split()]
        while words and (words[0] in _PREFIXES or "=" in words[0] or words[0][:1] == "-"):
            words = words[1:]
        program = words[0].rpartition("/")[2].lower() if words else ""
        if program == "git" and _find_git_subcommand(words[1:]) in _HISTORY_COMMANDS:
            return OutsideSource(origin=Origin.FILE, name="the history of git")
        if program in _PRINTERS:
            found = _find_outside_file([word for word in words[1:] if word[:1] in ("/", "~", ".")], root)
            if found is not None:
                return found
    return None


def _find_git_subcommand(words: list[str]) -> str:
    valued = ("-C", "-c", "--git-dir", "--work-tree")
    following = zip(["", *words], words, strict=False)
    return next((word for before, word in following if word[:1] != "-" and before not in valued), "")


def _find_outside_file(paths: object, root: str | None) -> OutsideSource | None:
    for path in paths if isinstance(paths, (list, tuple)) else ():
        if _is_outside(path, root):
            origin = Origin.EXTERNAL if "/tool-results/" in path else Origin.FILE
            return OutsideSource(origin=origin, name=path.rstrip("/").rpartition("/")[2] or path)
    return None


def _is_outside(path: str, root: str | None) -> bool:
    """Tell whether a path is outside the project in `root`; if `root` is None, every absolute path is."""
    plain = path.replace("\\", "/")
    if plain.rpartition("/")[2] in _INSTRUCTION_FILES and "/." in plain:
        return False
    if any(part in f"{plain}/" for part in _FOREIGN_FOLDERS):
        return True
    if plain[:1] == "~":
        return True
    if plain.startswith("/") or plain[1:3] == ":/":
        border = root.replace("\\", "/").rstrip("/") + "/" if root else ""
        return not border or not f"{posixpath.normpath(plain)}/".startswith(border)
    return posixpath.normpath(plain).startswith("../")


def _is_loopback(place: str) -> bool:
    host = _parse_host(place)
    return host in _LOOPBACK or (host.startswith("127.") and host.replace(".", "").isdigit())


def _parse_host(place: str) -> str:
    host = place.partition("/")[0].rpartition("@")[2]
    return host if host.endswith("]") else host.partition(":")[0] or host.rpartition(":")[0]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
