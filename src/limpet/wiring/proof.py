"""Check, for `doctor --prove`, that Limpet leaves no process, open port or file behind, and that hosts can start it.

For the last check, Limpet's interpreter and its MCP server are started.
"""

from __future__ import annotations

import json
import os
import subprocess

from limpet.errors import NotWirable, Refused, Untouchable
from limpet.hosts import HOSTS, wiring
from limpet.lean.record import record
from limpet.store.protocol import Problem
from limpet.wiring.inspection import WiringReport, list_host_files
from limpet.wiring.ledger import WiringLedger
from limpet.workspace.replacing import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_TIMEOUT = 20
_LONGEST_LINE = 4 << 20
_FOLDERS = (".claude/ltm", ".claude/friction", ".claude/stash", ".claude/memory")
"""The folders that Limpet makes in a repository only if the user runs a command that needs them."""


@record
class LimpetProcess:
    """A running process of Limpet, with its command-line arguments."""

    pid: int
    parent: int
    words: tuple[str, ...]

    @property
    def is_served(self) -> bool:
        """Tell whether the user started the process as a server, with `limpet serve`."""
        return "serve" in self.words


@record
class SkippedCheck:
    """The reason why a check is not possible on this machine."""

    why: str


def prove(found: WiringReport, *, home: str, root: str) -> Iterator[str | SkippedCheck | Problem]:
    """Run the checks: yield a sentence for each one that passes, a `Problem` if it fails, `SkippedCheck` if skipped."""
    yield from _check_processes()
    yield from _check_repository(home, root)
    yield from _check_start(found)


def _check_processes() -> Iterator[str | SkippedCheck | Problem]:
    if not os.path.isdir("/proc/self/fd"):
        yield SkippedCheck(why="processes and ports were not checked: this system has no /proc")
        return
    ours = find_processes()
    left = [process for process in ours if process.parent <= 1 and not process.is_served]
    for process in left:
        yield Problem(what=f"process {process.pid} is left running without its agent: {' '.join(process.words)[:200]}")
    if not left:
        kept = f"; {len(ours)} of Limpet belong to running programs" if ours else ""
        yield f"no process of Limpet is left over: checked all your processes{kept}"
    listening = [(process, port) for process in ours if not process.is_served for port in find_ports(process.pid)]
    for process, port in listening:
        yield Problem(what=f"process {process.pid} of Limpet listens on port {port}")
    if not listening:
        yield f"no process of Limpet listens on a port, except `limpet serve`: checked {len(ours)} processes"


def find_processes() -> list[LimpetProcess]:
    """Return the processes that run Limpet, except this one."""
    found = []
    for name in sorted(filter(str.isdigit, os.listdir("/proc")), key=int):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = tuple(os.fsdecode(word) for word in file.read().split(b"\0") if word)
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if is_limpet(words):
            found.append(LimpetProcess(pid=int(name), parent=parent, words=words))
    return [process for process in found if process.pid != os.getpid()]


def is_limpet(words: tuple[str, ...]) -> bool:
    """Tell whether command-line arguments start Limpet."""
    if not words or "python" not in os.path.basename(words[0]):
        return False
    script = next((word for word in words[1:] if not word.startswith("-")), "")
    if "-m" in words[1:5]:
        return script == "limpet" or script.startswith("limpet.")
    return os.path.basename(script) == "limpet" or script.replace("\\", "/").endswith("limpet/cli/run_hook.py")


def find_ports(pid: int) -> list[int]:
    """Return the TCP ports that a process listens on, or an empty list if they cannot be determined."""
    try:
        links = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return []
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    found = []
    for table in (f"/proc/{pid}/net/tcp", f"/proc/{pid}/net/tcp6"):
        try:
            with open(table, encoding="ascii") as file:
                rows = [line.split() for line in file.readlines()[1:]]
        except OSError:
            continue
        # 0A means that the socket is listening.
        found += [int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in inodes]
    return sorted(set(found))


def _check_repository(home: str, root: str) -> Iterator[str | SkippedCheck | Problem]:
    try:
        known = WiringLedger(home).entries
    except Refused:
        known = {}
    asked, strays = [], []
    for host in HOSTS:
        for file in wiring.list_settings_files(host, make_placeholder_launcher(), project=root):
            try:
                text = read(file.path)
                wired = bool(text) and any(wiring.find_wired(text or "", file.syntax))
            except (Untouchable, NotWirable):
                continue
            if wired and file.path in known:
                asked.append(file.path)
            elif wired:
                strays.append(file.path)
    asked += [path for name in _FOLDERS if os.path.isdir(path := os.path.join(root, *name.split("/")))]
    for path in strays:
        yield Problem(what="it calls Limpet, but `limpet setup` did not write that", where=path)
    if not strays:
        except_for = f", except what you asked for ({', '.join(asked)})" if asked else ""
        places = f"every agent's settings and {', '.join(_FOLDERS)}"
        yield f"no file of Limpet is in {root}{except_for}: checked {places}"


def make_placeholder_launcher() -> Any:
    return wiring.Launcher(python="python", hook="limpet/cli/run_hook.py", path=(), version="")


def _check_start(found: WiringReport) -> Iterator[str | SkippedCheck | Problem]:
    python, folders = found.runtime.get("python"), found.runtime.get("path")
    if not isinstance(python, str) or not isinstance(folders, list):
        yield SkippedCheck(why="no program was started: no agent is wired")
        return
    code = f"import sys; sys.path += {folders!r}; import limpet.runtime, apsw, sqlite_vec; print(limpet.__version__)"
    printed = _run_command([python, "-I", "-S", "-c", code], "")
    if printed is None or not printed.strip():
        yield Problem(what="the Python of the hooks cannot load Limpet; run: limpet setup", where=python)
        return
    yield f"{python} loads Limpet {printed.strip()}, as a hook would"
    servers = {json.dumps(server): server for host in HOSTS for server in _list_servers(host)}
    tried: list[dict[str, Any]] = list(servers.values())
    for server in tried or [{"command": python, "args": ["-P", "-m", "limpet", "mcp"]}]:
        tools = count_tools(server)
        line = " ".join((server["command"], *server["args"]))
        if tools is None:
            yield Problem(what=f"the MCP server does not answer: {line}")
        else:
            yield f"the MCP server answers with {tools} tools: {line}"


def _list_servers(host: str) -> Iterator[dict[str, Any]]:
    for file in list_host_files(host):
        try:
            text = read(file.path)
            _, server = wiring.find_wired(text, file.syntax) if text else ([], None)
        except (Untouchable, NotWirable):
            continue
        if server:
            yield {"command": str(server["command"]), "args": [str(word) for word in server["args"]]}


def count_tools(server: dict[str, Any]) -> int | None:
    """Start an MCP server and return how many tools it offers, or None if it does not answer in time."""
    who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "limpet doctor", "version": "1"}}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    )
    reply = _exchange_messages([server["command"], *server["args"]], messages)
    tools = reply.get("result", {}).get("tools") if reply else None
    return len(tools) if isinstance(tools, list) else None


def _exchange_messages(command: list[str], messages: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
    """Start a program, send it the messages, wait for the reply to each before the next, and return the last reply.

    Return None if the program cannot be started or a reply does not arrive in time.
    """
    from threading import Timer

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    try:
        process = subprocess.Popen(command, **pipes)  # type: ignore[call-overload]
    except OSError:
        return None
    ending = Timer(_TIMEOUT, process.kill)
    ending.start()
    last: dict[str, Any] | None = None
    try:
        for message in messages:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            while "id" in message and (last is None or last.get("id") != message["id"]):
                line = process.stdout.readline(_LONGEST_LINE)
                if not line:
                    return None
                last = json.loads(line)
    except (OSError, ValueError):
        return None
    finally:
        process.stdin.close()
        process.stdout.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        ending.cancel()
    return last


def _run_command(command: list[str], given: str) -> str | None:
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
