"""Describe the entries in a host's settings that make it call Limpet: hooks, in one table, MCP server, status line.

No file is written here. The module `wiring` of each host lists its settings files and their entries. `add` and `remove`
return the new text of such a file, and check that all other entries are unchanged.
"""

from __future__ import annotations

import json
import os
from importlib import import_module

from limpet.environment import environment, make_absolute
from limpet.errors import NotToml, NotWirable
from limpet.hosts import HOSTS, jsonc, names_of, toml
from limpet.hosts.own_names import SERVER, is_our_command
from limpet.lean.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    OwnEntries = tuple[list[tuple[str, dict[str, Any]]], dict[str, Any] | None, dict[str, Any] | None]

_OUR_PLACES = ("hooks", "mcpServers")
_STATUS = "statusLine"
TITLES: dict[str, str] = {host: names_of(host).TITLE for host in HOSTS}


@record
class Hook:
    """A hook entry of a host's settings: the event at which the hook program is started, and its time limit."""

    event: str
    timeout: int
    """The number of seconds after which the host continues without an answer; a hook needs only a fraction of it."""
    argument: str = ""
    """An argument for the hook program, such as `upkeep`."""
    background: bool = False
    """Whether the host continues immediately, without waiting for the hook."""
    matcher: str = ""
    """A pattern for the names of the tools whose calls are reported; an empty string for all tools."""


# Upkeep, the maintenance of the memories, runs in background hooks. The hook for SessionEnd runs in the background too,
# because a host waits for it only a second and a half, and a background hook continues after the host has ended. For
# Codex and Gemini, the process of the MCP server does the upkeep, because Gemini waits for every hook, and Codex asks
# the user to trust each one.
HOOKS = (
    Hook(event="SessionStart", timeout=10),
    Hook(event="SessionStart", timeout=300, argument="upkeep", background=True),
    Hook(event="UserPromptSubmit", timeout=5),
    Hook(event="UserPromptExpansion", timeout=5),
    # Only for tools that change something: a hook before each call is slow, and reading and searching break no rule.
    Hook(event="PreToolUse", timeout=5, matcher="Bash|PowerShell|Edit|Write|MultiEdit|NotebookEdit|Web.*|mcp__.*"),
    Hook(event="PostToolUse", timeout=5),
    Hook(event="PostToolUseFailure", timeout=5),
    Hook(event="PreCompact", timeout=10),
    Hook(event="PostCompact", timeout=10),
    Hook(event="SubagentStart", timeout=5),
    Hook(event="Stop", timeout=10),
    Hook(event="Stop", timeout=300, argument="upkeep", background=True),
    Hook(event="SessionEnd", timeout=300, background=True),
)


def hooks_without_upkeep(events: dict[str, str]) -> list[tuple[str, Hook]]:
    """Return the hooks for a host's events, except those for upkeep, each paired with the host's name for its event.

    `events` maps the host's names to Limpet's names.
    """
    names = {event: name for name, event in events.items()}
    reporting = [hook for hook in HOOKS if hook.event in names and not hook.argument]
    return [(names[hook.event], replace(hook, timeout=min(hook.timeout, _LONGEST_WAIT))) for hook in reporting]


_LONGEST_WAIT = 10
"""The maximum timeout, in seconds, for hosts that have to wait for every hook."""


@record
class Launcher:
    """The paths and the version that are needed to start Limpet's programs from a host."""

    python: str
    """The path of the Python interpreter."""
    hook: str
    """The path of the hook program."""
    path: tuple[str, ...]
    """The folders of `limpet` and the libraries that it needs, because hooks start without site-packages."""
    version: str
    windows: bool = False

    @property
    def server(self) -> dict[str, Any]:
        # -P: the host starts the server inside a repository, from which no module may be imported.
        return {"command": self.python, "args": ["-P", "-m", "limpet", "mcp"]}


@record
class SettingsFile:
    """A settings file of a host, and the entries of Limpet in it: hooks, an MCP server, a status line."""

    host: str
    path: str
    groups: tuple[tuple[str, dict[str, Any]], ...] = ()
    """The hook entries, each paired with the host's name for its event."""
    server: dict[str, Any] | None = None
    status_line: dict[str, Any] | None = None
    """The entry that shows Limpet in the host's status line. It is added only if a person wants it."""
    syntax: str = "json"
    """The syntax of the file: `json` or `toml`."""
    project: bool = False
    """Whether the file belongs to a project instead of the user."""

    @property
    def summary(self) -> tuple[str, ...]:
        """Return lines that describe the entries to a person: the events and command lines of hooks, and the server."""
        events: dict[str, list[str]] = {}
        for event, group in self.groups:
            call = group["hooks"][0]
            events.setdefault(call["command"], []).append(event + (" (async)" if "async" in call else ""))
        lines = [f"hooks {', '.join(names)}: {command}" for command, names in events.items()]
        if self.server:
            lines.append(f"MCP server {SERVER}: {' '.join((self.server['command'], *self.server['args']))}")
        if self.status_line:
            lines.append(f"status line: {self.status_line['command']}")
        return tuple(lines)


def _wiring_module(host: str) -> Any:
    return import_module(f"limpet.hosts.{host.replace('-', '_')}.wiring")


def list_settings_files(host: str, launcher: Launcher, *, project: str | None = None) -> tuple[SettingsFile, ...]:
    """Return a host's settings files: the user's, or those in the folder `project` if it is given."""
    found: tuple[SettingsFile, ...] = _wiring_module(host).list_settings_files(launcher, project=project)
    return found


def host_folder(host: str) -> str:
    """Return the configuration folder of a host, which may not exist."""
    found: str = _wiring_module(host).host_folder()
    return found


def is_present(host: str) -> bool:
    """Tell whether a host is used on this machine: its folder exists, or its program is found."""
    from shutil import which

    return os.path.isdir(host_folder(host)) or which(names_of(host).PROGRAM) is not None


def home_folder() -> str:
    """Return the user's home folder."""
    return make_absolute("~", environment())


def folder_named(variable: str, otherwise: str) -> str:
    """Return the folder that an environment variable names, or by default the folder `otherwise` in the home folder."""
    env = environment()
    return make_absolute(env.get(variable, "").strip() or os.path.join("~", otherwise), env)


def command_line(launcher: Launcher, *arguments: str) -> str:
    """Return a shell command line that starts the hook program and always exits with 0."""
    # If Limpet was removed without its entries, Python exits with 2, at which a host rejects the user's prompt. `||`
    # and `exit` mean the same in sh, fish and cmd.
    words = (quote_path(launcher.python, launcher), "-I", "-S", quote_path(launcher.hook, launcher), *arguments)
    return " ".join((*words, "|| exit 0"))


def quote_path(path: str, launcher: Launcher) -> str:
    # Slashes work in every shell that a host uses on Windows.
    if launcher.windows:
        return '"' + path.replace("\\", "/") + '"'
    for character in '\\"$`':
        path = path.replace(character, f"\\{character}")
    return f'"{path}"'


def is_our_server(server: object) -> bool:
    """Tell whether an entry of a settings file starts Limpet's MCP server."""
    return isinstance(server, dict) and list(server.get("args") or ())[-3:] == ["-m", "limpet", "mcp"]


def add(text: str, file: SettingsFile) -> str:
    """Return the text of a settings file with Limpet's entries added; older entries of Limpet are replaced.

    Raise NotWirable if that is not possible without changing other entries.
    """
    data = read(text, file.syntax)
    theirs = data.get("mcp_servers" if file.syntax == "toml" else "mcpServers", {}).get(SERVER)
    if file.server and theirs is not None and not is_our_server(theirs):
        raise NotWirable(f"it has an MCP server {SERVER!r} of another kind; take it out or rename it")
    if file.syntax == "toml":
        return _change_toml(toml.put, text, ("mcp_servers", SERVER), file.server)
    if _find_own_entries(data) == (_sort_by_event(file.groups), file.server, file.status_line):
        return text
    short, folded = jsonc.fold_long_values(text, keep=(*_OUR_PLACES, _STATUS))
    return jsonc.unfold(_add_to_json(short, file), folded)


def _add_to_json(text: str, file: SettingsFile) -> str:
    data = read(text, "json")
    made = _remove_from_json(text, before=data)
    for event, group in file.groups:
        made = jsonc.append(made, ("hooks", event), group)
    if file.server:
        made = jsonc.put(made, ("mcpServers", SERVER), file.server)
    if file.status_line:
        made = jsonc.put(made, (_STATUS,), file.status_line)
    now = read(made, "json")
    if _dump_other_entries(now) != _dump_other_entries(data) or _find_own_entries(now) != (
        _sort_by_event(file.groups),
        file.server,
        file.status_line,
    ):
        raise NotWirable("our entries cannot be put there without changing others")
    return made


def remove(text: str, file: SettingsFile, *, keep: str = "") -> str:
    """Return the text of a settings file without Limpet's entries.

    Objects and lists that become empty are removed too, unless they are also in `keep`, an earlier text of the file.
    """
    data = read(text, file.syntax)
    if file.syntax == "toml":
        ours = is_our_server(data.get("mcp_servers", {}).get(SERVER))
        return _change_toml(toml.drop, text, ("mcp_servers", SERVER)) if ours else text
    short, folded = jsonc.fold_long_values(text, keep=(*_OUR_PLACES, _STATUS))
    return jsonc.unfold(_remove_from_json(short, before=read(keep, "json") if keep else {}), folded)


def _remove_from_json(text: str, *, before: dict[str, Any]) -> str:
    data = read(text, "json")
    made = text
    for event in [event for event, groups in _hook_groups(data).items() if any(map(_has_own_hook, groups))]:
        made = _remove_hooks(made, event)
        if not read(made, "json")["hooks"][event] and event not in _hook_groups(before):
            made = jsonc.drop(made, ("hooks", event))
    if is_our_server((data.get("mcpServers") or {}).get(SERVER)):
        made = jsonc.drop(made, ("mcpServers", SERVER))
    if is_our_hook(data.get(_STATUS)):
        made = jsonc.drop(made, (_STATUS,))
    for name in _OUR_PLACES:
        if name in data and data[name] and read(made, "json")[name] == {} and name not in before:
            made = jsonc.drop(made, (name,))
    if _dump_other_entries(read(made, "json")) != _dump_other_entries(data):
        raise NotWirable("our entries cannot be taken out without changing others")
    return made


def _change_toml(change: Callable[..., str], text: str, *arguments: Any) -> str:
    try:
        return change(text, *arguments)
    except NotToml as error:
        raise NotWirable(str(error)) from None


def _remove_hooks(text: str, event: str) -> str:
    groups = read(text, "json")["hooks"][event]
    for number in reversed(range(len(groups))):
        hooks = _hooks_of(groups[number])
        ours = [at for at, hook in enumerate(hooks) if is_our_hook(hook)]
        if ours and len(ours) == len(hooks):
            text = jsonc.drop(text, ("hooks", event, number))
            continue
        for at in reversed(ours):
            text = jsonc.drop(text, ("hooks", event, number, "hooks", at))
    return text


def read(text: str, syntax: str) -> dict[str, Any]:
    """Parse the text of a settings file; raise NotWirable if it is invalid or Limpet's entries do not fit into it."""
    try:
        data = toml.load(text) if syntax == "toml" else jsonc.load(text)
    except ValueError as error:
        raise NotWirable(f"it is not {syntax.upper()} ({error})") from None
    for name in ("hooks", "mcpServers", "mcp_servers"):
        if not isinstance(data.get(name, {}), dict):
            raise NotWirable(f"{name!r} in it is not a table of entries")
    if syntax == "json" and not all(isinstance(groups, list) for groups in _hook_groups(data).values()):
        raise NotWirable("'hooks' in it has an event without a list")
    found: dict[str, Any] = data
    return found


def find_wired(text: str, syntax: str) -> tuple[list[tuple[str, str]], dict[str, Any] | None]:
    """Return Limpet's entries in the text of a settings file.

    They are the event and the command line of each hook, and the entry of the MCP server, or None if there is none. The
    status line is not among them: `find_status_line` finds it.
    """
    data = read(text, syntax)
    servers = data.get("mcp_servers" if syntax == "toml" else "mcpServers", {})
    server = servers.get(SERVER)
    hooks = [
        (event, hook["command"])
        for event, groups in (_hook_groups(data) if syntax == "json" else {}).items()
        for group in groups
        for hook in _hooks_of(group)
        if is_our_hook(hook)
    ]
    return hooks, server if is_our_server(server) else None


def find_status_line(text: str, syntax: str) -> object:
    """Return the status line that a settings file names, whoever added it, or None if it names none."""
    return read(text, syntax).get(_STATUS)


def _hook_groups(data: dict[str, Any]) -> dict[str, Any]:
    return data.get("hooks") or {}


def _hooks_of(group: object) -> list[Any]:
    """Return the hooks of a group, or an empty list if the group has another form."""
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def is_our_hook(hook: object) -> bool:
    """Tell whether a hook or a status line in a settings file starts Limpet's hook program."""
    return isinstance(hook, dict) and is_our_command(hook.get("command"))


def _has_own_hook(group: object) -> bool:
    return any(map(is_our_hook, _hooks_of(group)))


def _find_own_entries(data: dict[str, Any]) -> OwnEntries:
    server = (data.get("mcpServers") or {}).get(SERVER)
    groups = [(event, group) for event, found in _hook_groups(data).items() for group in found if _has_own_hook(group)]
    status = data.get(_STATUS)
    return (
        _sort_by_event(groups),
        server if is_our_server(server) else None,
        status if is_our_hook(status) else None,
    )


def _sort_by_event(groups: Iterable[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    return sorted(groups, key=lambda each: each[0])


def _dump_other_entries(data: dict[str, Any]) -> str:
    """Return all entries that are not Limpet's as a JSON string, for comparison.

    Empty objects and lists are omitted, because removing Limpet's entries may leave them behind.
    """
    rest = json.loads(json.dumps(data))
    for event, groups in list(_hook_groups(rest).items()):
        for group in groups:
            if _has_own_hook(group):
                group["hooks"] = [hook for hook in group["hooks"] if not is_our_hook(hook)]
        rest["hooks"][event] = [group for group in groups if not isinstance(group, dict) or group.get("hooks") != []]
        if not rest["hooks"][event]:
            del rest["hooks"][event]
    if is_our_server((rest.get("mcpServers") or {}).get(SERVER)):
        del rest["mcpServers"][SERVER]
    if is_our_hook(rest.get(_STATUS)):
        del rest[_STATUS]
    return json.dumps({name: value for name, value in rest.items() if value != {} or name not in _OUR_PLACES})
