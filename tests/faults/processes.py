"""Real processes of Limpet for the fault tests, and a ledger of what they acknowledged."""

from __future__ import annotations

import atexit
import functools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from limpet.api import Limpet
from limpet.model.query import Stored
from limpet.system import walk_files
from tests.store.forensics import encode_needle, readable_bytes

COMMAND = (sys.executable, "-m", "limpet")
_NOBODY = 65534
_WRITER = str(Path(__file__).with_name("writer.py"))


def limpet(*arguments: str, umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, forked from a process that has loaded everything: that saves most of the time."""
    return _without_tracebacks(nursery().run(arguments, umask))


def limpet_afresh(
    *arguments: str, timeout: float = 60, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end in a new interpreter, as a person would."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=timeout,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return _without_tracebacks(done)


def limpet_without_rights(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run one command as an ordinary user."""
    done = subprocess.run(
        [*as_ordinary_user(), *COMMAND, *arguments],
        capture_output=True,
        text=True,
        env=env,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    return _without_tracebacks(done)


def as_ordinary_user() -> list[str]:
    """Return the beginning of a command that runs the rest with the rights of the owner of the interpreter and no more.

    Nobody else may be able to enter the clone or to run the interpreter. Without capabilities, even the user root may
    do only what the owner and the mode of a file allow.
    """
    if os.geteuid() != 0:
        return []
    owner = os.stat(sys.prefix)
    groups = [f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"]
    return ["setpriv", *groups, "--inh-caps=-all", "--bounding-set=-all", "--"]


def leave_rights(top: Path, *, folders: int, files: int = 0) -> None:
    """Leave ordinary users these rights (4 to read, 2 to write, 1 to enter) to a folder and what is in it."""
    # A folder that nobody may enter comes after what is in it.
    for path in sorted((top, *top.rglob("*")), reverse=True):
        rights = folders if path.is_dir() else files
        if os.geteuid() == 0:
            os.chown(path, _NOBODY, _NOBODY)
            path.chmod(0o700 | rights)
        else:
            path.chmod(rights << 6)


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """Yield a folder that every user can reach, unlike those of pytest, and remove it whatever its rights are then."""
    with tempfile.TemporaryDirectory(prefix="limpet-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            for place, _, names in os.walk(folder):
                os.chmod(place, 0o700)
                for name in names:
                    os.chmod(os.path.join(place, name), 0o600)


def _without_tracebacks(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    assert "Traceback" not in done.stderr, done.stderr
    assert "went wrong inside" not in done.stderr, done.stderr
    return done


def _wait_for(happened: Callable[[], bool]) -> None:
    """Poll until it happened; the deadline only prevents a hang and does not measure speed."""
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.0005)


class Child:
    """A writer that is running, or has ended."""

    def __init__(self, nursery: Nursery, pid: int, out: str, err: str) -> None:
        self.pid = pid
        self._nursery = nursery
        self._out = out
        self._err = err

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def has_begun(self) -> bool:
        return os.path.exists(self._out)

    def has_said(self) -> bytes:
        """Return what it has written to standard output so far."""
        return Path(self._out).read_bytes()

    def wait_until_stopped(self) -> None:
        _wait_for(lambda: self._state() in "TZ")
        assert self._state() == "T", self.complaint()

    def wake_until_ended(self) -> int:
        """Wake it until it ends, since it may stop at the same place repeatedly."""

        def has_ended() -> bool:
            self.signal(signal.SIGCONT)
            return self._state() == "Z"

        _wait_for(has_ended)
        return self.end()

    def _state(self) -> str:
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]

    def end(self) -> int:
        """Wait for its end and return its exit code; a traceback is always a failure."""
        code = self._nursery.wait(self.pid)
        assert "Traceback" not in self.complaint(), self.complaint()
        return code

    def wait_until_said(self, lines: int) -> None:
        _wait_for(lambda: self.has_said().count(b"\n") >= lines)

    def complaint(self) -> str:
        return Path(self._err).read_text()

    def kill_after(self, seconds: float, *, lines: int = 0) -> bytes:
        """Kill it some seconds after it has written some lines, and return everything it wrote.

        On a busy machine seconds alone would kill most writers before they have written anything.
        """
        self.wait_until_said(lines)
        time.sleep(seconds)
        self.signal(signal.SIGKILL)
        self.end()
        return self.has_said()


class Nursery:
    """A process that has loaded everything and forks writers and commands."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="limpet-said-")
        self._number = 0
        self._process = subprocess.Popen(
            [sys.executable, _WRITER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, home: str, way: str, seed: object, count: int = 0, *, group: int = 0) -> Child:
        """Fork a writer into a new process group, or into that of an earlier one."""
        child = self._fork(home=home, way=way, seed=str(seed), count=count, group=group)
        _wait_for(child.has_begun)
        return child

    def run(self, arguments: Sequence[str], umask: int) -> subprocess.CompletedProcess[str]:
        child = self._fork(argv=list(arguments), umask=umask, group=0)
        code = self.wait(child.pid)
        return subprocess.CompletedProcess(arguments, code, child.has_said().decode(), child.complaint())

    def command(self, *arguments: str) -> Child:
        """Start one command that the test will kill while it runs."""
        child = self._fork(argv=list(arguments), umask=0o022, group=0)
        _wait_for(child.has_begun)
        return child

    def _fork(self, **order: object) -> Child:
        self._number += 1
        out, err = (f"{self._folder.name}/{self._number}.{name}" for name in ("out", "err"))
        pid = self._ask(**order, out=out, err=err, env=dict(os.environ), cwd=os.getcwd())
        return Child(self, pid, out, err)

    def wait(self, pid: int) -> int:
        return self._ask(wait=pid)

    def _ask(self, **order: object) -> int:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()
        self._folder.cleanup()


@functools.cache
def nursery() -> Nursery:
    """Return the nursery that all tests of a run share."""
    opened = Nursery()
    atexit.register(opened.close)
    return opened


@dataclass
class Ledger:
    """What was acknowledged and therefore must be in the store."""

    kept: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    doomed: dict[str, str] = field(default_factory=dict)
    """A purge has begun: they may or may not be there."""
    purged: dict[str, str] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)

    def read(self, out: bytes) -> int:
        """Record what a writer wrote; a last line without a newline does not count."""
        whole = out[: out.rfind(b"\n") + 1]
        told = [json.loads(line) for line in whole.splitlines() if not line.startswith(b'{"ready"')]
        for each in told:
            self._take(each)
        return len(told)

    def _take(self, told: dict[str, Any]) -> None:
        if "kept" in told:
            self.kept[told["kept"]] = told["text"]
            self.milliseconds.append(told["ms"])
        elif "forgotten" in told:
            self.forgotten.add(told["forgotten"])
        elif "doomed" in told:
            self.doomed |= {name: self.kept.pop(name) for name in told["doomed"] if name in self.kept}
        elif "purged" in told:
            self.purged |= {name: self.doomed.pop(name) for name in told["purged"] if name in self.doomed}

    def differences(self, found: Mapping[str, Stored]) -> list[str]:
        lost = [f"{name} is lost" for name in self.kept if name not in found]
        changed = [
            f"{name} is changed"
            for name, text in self.kept.items()
            if name in found and found[name].memory.original_content != text
        ]
        back = [f"{name} came back" for name in self.purged if name in found]
        seen = [f"{name} is not forgotten" for name in self.forgotten if name in found and found[name].status == "live"]
        return lost + changed + back + seen


def load_checked(home: str) -> dict[str, Stored]:
    """Verify the store and return all memories, as a process that opens it now sees them."""
    with Limpet(home=home) as memory:
        # `verify` reports an index that a killed process has left half made; any other command completes it first.
        memory.list(limit=1)
        assert memory.verify().problems == ()
        return list_memories(memory)


def load_memories(home: str) -> dict[str, Stored]:
    """Return all memories, as a process that opens the store now sees them."""
    with Limpet(home=home) as memory:
        return list_memories(memory)


def list_memories(memory: Limpet) -> dict[str, Stored]:
    found: dict[str, Stored] = {}
    while True:
        page = memory.list(all=True, limit=1000, offset=len(found))
        found |= {stored.memory.id: stored for stored in page.items}
        if not page.items or len(found) >= page.total:
            return found


Run = Callable[..., subprocess.CompletedProcess[str]]


def list_by_command(run: Run = limpet) -> tuple[dict[str, str], str]:
    """Return ids and texts as `limpet list` prints them, and its standard error."""
    found: dict[str, str] = {}
    said = ""
    while True:
        done = run("list", "--json", "--all", "--limit", "1000", "--offset", str(len(found)))
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        found |= {each["id"]: each["original_content"] for each in answer["memories"]}
        said += done.stderr
        if not answer["has_more"]:
            return found, said


def assert_sound() -> None:
    done = limpet("verify")
    assert done.returncode == 0, done.stdout + done.stderr


def remember(text: str, run: Run = limpet) -> str:
    """Store a text with a command and return the id of the memory."""
    done = run("remember", "--json", text)
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["memory"]["id"])


def cost_of_a_write(text: str) -> tuple[str, float]:
    """Store a text in a new process; return the id and the seconds of processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    name = remember(text, limpet_afresh)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return name, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def files_holding(home: str, text: str) -> list[str]:
    """Return every file below the home that holds a text."""
    wanted = encode_needle(text)
    return [path for path in walk_files(home) if wanted in readable_bytes(Path(path))]


def percentile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
