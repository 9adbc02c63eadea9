"""Start a real `limpet serve` in a home of its own, and talk to it as a client does."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import limpet
from limpet import clock

SOURCE = str(Path(limpet.__file__).parents[1])
PERSON = "the-credential-of-a-person"


# A terminal cannot be had here, so the program is told that it has one, outside an agent.
_WITH_PERSON = """
import secrets, sys
from limpet.cli import serve
from limpet.cli.program import run
from limpet.runtime import identity
person = sys.argv.pop(1)
secrets.token_urlsafe = lambda size: person if size == 24 else secrets.token_hex(size)
serve.is_terminal = lambda stream: True
identity.is_inside_agent = lambda: False
sys.exit(run(sys.argv[1:]))
"""


# Loading everything takes seconds, so a test that starts many servers forks them from a process that has loaded it.
_NURSERY = """
import ctypes, os, signal, sys
from limpet.cli.program import run
import limpet.http.home_server, limpet.mcp.over_http, limpet.operations.remember, limpet.operations.capture
import limpet.doors.admit, limpet.doors.effects, limpet.store.view.folded_rows, limpet.queue.tidy, limpet.secrets.redact
def end_with_parent():
    # PR_SET_PDEATHSIG: the kernel kills this process when its parent ends, however the parent ends.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
end_with_parent()
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        end_with_parent()
        os.setpgid(0, 0)
        os._exit(run(["serve", "--port", "0"]))
    print(pid, flush=True)
    os.waitpid(pid, 0)
    print("ended", flush=True)
"""


class Nursery:
    """A process that starts one server after the other, quickly."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "project").mkdir(parents=True, exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _NURSERY],
            cwd=folder / "project",
            env=environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def start(self) -> tuple[int, Served]:
        """Start a server and return its process id, once it listens."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write("start\n")
        self._process.stdin.flush()
        pid = int(self._process.stdout.readline())
        for _ in clock.attempts(60_000, every_ms=5):
            try:
                if json.loads((self._folder / "home" / "server.json").read_text())["pid"] == pid:
                    return pid, Served(self._folder, self._process)
            except (OSError, ValueError):
                continue
        raise AssertionError("the server did not start")

    def kill(self, pid: int, number: int = signal.SIGKILL) -> None:
        """Send a signal to a server, and wait until it has ended."""
        assert self._process.stdout
        os.kill(pid, number)
        assert self._process.stdout.readline() == "ended\n"

    def close(self) -> None:
        """End the process, and a server that still runs with it."""
        assert self._process.stdin and self._process.stdout
        self._process.kill()
        self._process.wait(timeout=30)
        self._process.stdin.close()
        self._process.stdout.close()


class Reply(NamedTuple):
    status: int
    text: str
    headers: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Served:
    """A running server with its home, its project and its token."""

    def __init__(self, folder: Path, process: subprocess.Popen[Any]) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.process = process
        self.info: dict[str, Any] = json.loads((self.home / "server.json").read_text())
        self.port = int(self.info["hooks_port"])
        self.token = (self.home / "http" / "token").read_text().strip()

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str | None] | None = None
    ) -> Reply:
        """Send one request with the headers of a good client; a header of None is left out."""
        wanted: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Accept": "application/json",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json" if body is not None else None,
            **(headers or {}),
        }
        if body is not None and "Content-Length" not in wanted and "Transfer-Encoding" not in wanted:
            wanted["Content-Length"] = str(len(body))
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in wanted.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders()
            if body is not None:
                connection.send(body)
            found = connection.getresponse()
            try:
                text = found.read().decode()
            except ConnectionResetError:
                # A head that is no HTTP is refused before the body has come, and nobody reads that.
                text = ""
            return Reply(found.status, text, dict(found.getheaders()))
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        return self.send(method, path, data, {"Limpet-Folder": str(self.project), **named})

    def remember(self, text: str) -> str:
        found = self.ask("POST", "/memories", {"text": text})
        assert found.status == 200, found.text
        return str(found.json["id"])

    def journal(self) -> dict[str, bytes]:
        """Return every byte of the journal and of the queue: what changes if anything was written."""
        folders = [self.home / "journal", self.home / "queue"]
        return {str(path): path.read_bytes() for each in folders for path in sorted(each.rglob("*.jsonl"))}


def environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder),
        "LIMPET_HOME": str(folder / "home"),
        "PYTHONPATH": SOURCE,
        "PYTHONWARNINGS": "error",
    }


def start(folder: Path, *arguments: str, person: str = "") -> subprocess.Popen[bytes]:
    """Start a server; with `person` it has the credential of a person, as if a terminal had shown it."""
    (folder / "project").mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", _WITH_PERSON, person] if person else [sys.executable, "-m", "limpet"]
    return subprocess.Popen(
        [*command, "serve", "--port", "0", *arguments],
        cwd=folder / "project",
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def wait_until_ready(folder: Path, process: subprocess.Popen[bytes], *, seconds: int = 60) -> Served:
    for _ in clock.attempts(seconds * 1000, every_ms=20):
        if process.poll() is not None:
            break
        try:
            found = json.loads((folder / "home" / "server.json").read_text())
            if found["pid"] == process.pid:
                return Served(folder, process)
        except (OSError, ValueError):
            continue
    process.kill()
    said = process.stdout.read().decode() if process.stdout else ""
    raise AssertionError(f"the server did not start: {said}")


@contextmanager
def serve(folder: Path, *arguments: str, person: str = "") -> Iterator[Served]:
    process = start(folder, *arguments, person=person)
    try:
        yield wait_until_ready(folder, process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=30)
        finally:
            process.kill()
            assert process.stdout is not None
            process.stdout.close()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
