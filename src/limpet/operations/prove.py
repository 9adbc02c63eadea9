"""Proves what can be promised only by looking: nothing of ours runs on, listens, or lies about; the server answers.

The one module that starts a program: our own interpreter, to see whether a host could.
"""

from __future__ import annotations

import json
import os
import subprocess

from limpet.errors import Refused
from limpet.hosts import HOSTS, wiring
from limpet.hosts.wiring import NotWirable
from limpet.lean.record import record
from limpet.operations.doctor_hosts import Wiring, settings_files
from limpet.operations.ledger import Ledger, Untouchable, read
from limpet.store.protocol import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_PATIENCE = 20
_ROOM = 4 << 20
_FOLDERS = (".claude/ltm", ".claude/friction", ".claude/stash", ".claude/memory")
"""What only a command of the user's own makes in a repository."""


@record
class Process:
    pid: int
    parent: int
    words: tuple[str, ...]

    @property
    def is_served(self) -> bool:
        """Whether the user started it to stay."""
        return "serve" in self.words


@record
class Skipped:
    """Something that could not be looked at here, and why."""

    why: str


def prove(found: Wiring, *, home: str, root: str) -> Iterator[str | Skipped | Problem]:
    """A sentence for everything that was looked at and is as it should be; a problem for what is not."""
    yield from _processes()
    yield from _repository(home, root)
    yield from _start(found)


def _processes() -> Iterator[str | Skipped | Problem]:
    if not os.path.isdir("/proc/self/fd"):
        yield Skipped(why="processes and ports were not looked at: this system does not list them in files")
        return
    ours = running()
    left = [process for process in ours if process.parent <= 1 and not process.is_served]
    for process in left:
        yield Problem(what=f"process {process.pid} runs on without its agent: {' '.join(process.words)[:200]}")
    if not left:
        kept = f"; {len(ours)} belong to programs that run" if ours else ""
        yield f"no process of Limpet's is left over: looked at every process of yours{kept}"
    listening = [(process, port) for process in ours if not process.is_served for port in ports(process.pid)]
    for process, port in listening:
        yield Problem(what=f"process {process.pid} of Limpet's listens on port {port}")
    if not listening:
        yield f"no port is open but by `limpet serve`: looked at the sockets of {len(ours) or 'no'} other processes"


def running() -> list[Process]:
    """Processes that run Limpet, besides this one."""
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
            found.append(Process(pid=int(name), parent=parent, words=words))
    return [process for process in found if process.pid != os.getpid()]


def is_limpet(words: tuple[str, ...]) -> bool:
    if not words or "python" not in os.path.basename(words[0]):
        return False
    script = next((word for word in words[1:] if not word.startswith("-")), "")
    if "-m" in words[1:5]:
        return script == "limpet" or script.startswith("limpet.")
    return os.path.basename(script) == "limpet" or script.replace("\\", "/").endswith("limpet/cli/hook.py")


def ports(pid: int) -> list[int]:
    """The ports that a process listens on."""
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
        # 0A is the state of a socket that listens.
        found += [int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in inodes]
    return sorted(set(found))


def _repository(home: str, root: str) -> Iterator[str | Skipped | Problem]:
    try:
        known = Ledger(home).entries
    except Refused:
        known = {}
    asked, strays = [], []
    for host in HOSTS:
        for file in wiring.files(host, settings_launcher(), project=root):
            try:
                text = read(file.path)
                wired = bool(text) and any(wiring.wired(text or "", file.syntax))
            except (Untouchable, NotWirable):
                continue
            if wired and file.path in known:
                asked.append(file.path)
            elif wired:
                strays.append(file.path)
    asked += [path for name in _FOLDERS if os.path.isdir(path := os.path.join(root, *name.split("/")))]
    for path in strays:
        yield Problem(what="it calls Limpet, and no setup of yours has written that", where=path)
    if not strays:
        there = f" but what you asked for, {', '.join(asked)}" if asked else ""
        looked = f"looked at every agent's settings and at {', '.join(_FOLDERS)}"
        yield f"nothing of Limpet's lies in {root}{there}: {looked}"


def settings_launcher() -> Any:
    return wiring.Launcher(python="python", hook="limpet/cli/hook.py", path=(), version="")


def _start(found: Wiring) -> Iterator[str | Skipped | Problem]:
    python, folders = found.runtime.get("python"), found.runtime.get("path")
    if not isinstance(python, str) or not isinstance(folders, list):
        yield Skipped(why="no program was started: no agent is wired")
        return
    code = f"import sys; sys.path += {folders!r}; import limpet.runtime, apsw, sqlite_vec; print(limpet.__version__)"
    said = _output([python, "-I", "-S", "-c", code], "")
    if said is None or not said.strip():
        yield Problem(what="the Python of the hooks cannot load Limpet; run: limpet setup", where=python)
        return
    yield f"{python} loads Limpet {said.strip()} as a hook does"
    servers = {json.dumps(server): server for host in HOSTS for server in _servers(host)}
    tried: list[dict[str, Any]] = list(servers.values())
    for server in tried or [{"command": python, "args": ["-P", "-m", "limpet", "mcp"]}]:
        tools = answer_of(server)
        line = " ".join((server["command"], *server["args"]))
        if tools is None:
            yield Problem(what=f"the MCP server does not answer: {line}")
        else:
            yield f"the MCP server answers with {tools} tools: {line}"


def _servers(host: str) -> Iterator[dict[str, Any]]:
    for file in settings_files(host):
        try:
            text = read(file.path)
            _, server = wiring.wired(text, file.syntax) if text else ([], None)
        except (Untouchable, NotWirable):
            continue
        if server:
            yield {"command": str(server["command"]), "args": [str(word) for word in server["args"]]}


def answer_of(server: dict[str, Any]) -> int | None:
    """How many tools an MCP server offers; None if it does not answer in time. It ends when its input does."""
    who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "limpet doctor", "version": "1"}}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    )
    said = _conversation([server["command"], *server["args"]], messages)
    tools = said.get("result", {}).get("tools") if said else None
    return len(tools) if isinstance(tools, list) else None


def _conversation(command: list[str], messages: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
    """Say these, one after the other has been heard, and hear the answer to the last."""
    from threading import Timer

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    try:
        process = subprocess.Popen(command, **pipes)  # type: ignore[call-overload]
    except OSError:
        return None
    ending = Timer(_PATIENCE, process.kill)
    ending.start()
    last: dict[str, Any] | None = None
    try:
        for message in messages:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            while "id" in message and (last is None or last.get("id") != message["id"]):
                line = process.stdout.readline(_ROOM)
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


def _output(command: list[str], given: str) -> str | None:
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
