"""`python -m benchmarks.server [--seconds 60] [--rate 200]`: what a hook costs with a server, and the server itself.

Three tables. First the hook program that hands over, beside a shell that sends the same event with curl to the same
socket (V3): processor time of the child, the median of runs taken in turns. Then mixed hooks at a steady rate, with the
time to an answer beside that of an empty route (`/health`) asked in between, so that the machine's own noise is in
both. Then the memory of the server before and after, with 100,000 memories if `--memories 100000` is given (V7).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

from benchmarks.hooks import HOOK, build_payload, processor_time
from benchmarks.store import Filler, surroundings
from benchmarks.table import Target, row, show

RUNS = 40
THREADS = 8
_TOOL = {
    "tool_name": "Bash",
    "tool_input": {"command": "make test"},
    "tool_response": {"stdout": "tests/test_a.py ..... [100%]\n12 passed in 0.31s\n" * 20, "stderr": ""},
}
CURL = 'exec curl -s --unix-socket "$S" -H "Authorization: Bearer $(<"$T")" -H "Content-Type: application/json" --data-binary @- http://localhost/hook/event'  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--memories", type=int, default=1000)
    wanted = parser.parse_args()
    with surroundings() as folder:
        home = os.path.join(folder, "home")
        os.environ["LIMPET_HOME"] = home
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        filler = Filler(home)
        filler.fill(wanted.memories)
        filler.settle()
        # A hook with settings of its own does not hand over.
        for name in [name for name in os.environ if name.startswith("LIMPET_") and name != "LIMPET_HOME"]:
            del os.environ[name]
        server = Running(home, folder)
        try:
            show(f"A hook with a server, median of {RUNS}", ["", "processor", "wall", "ratio"], compare(folder, home))
            before = server.resident_mb()
            title = f"{wanted.rate:g} mixed hooks a second for {wanted.seconds:g} s"
            show(title, ["", "number", "p50", "p95"], load(server, folder, wanted.seconds, wanted.rate))
            after = server.resident_mb()
            target = Target(90, "MB")
            rows = [
                row("before", f"{before:.0f} MB"),
                row("V7 after", f"{after:.0f} MB", target=target, value=after),
            ]
            show(f"Memory of the server, {wanted.memories:,} memories", ["", "resident"], rows)
        finally:
            server.stop()


class Running:
    """A server in another process."""

    def __init__(self, home: str, folder: str) -> None:
        command = [sys.executable, "-m", "limpet", "serve", "--port", "0"]
        self._process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        info = Path(home, "server.json")
        while not info.exists():
            time.sleep(0.05)
        self.port = int(json.loads(info.read_text())["hooks_port"])
        self.token = Path(home, "http", "token").read_text().strip()
        self.socket = os.path.join(home, "http", "socket")

    def resident_mb(self) -> float:
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()

    def ask(self, method: str, path: str, body: bytes = b"") -> int:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.socket)
            head = (
                f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
            )
            head += f"Content-Type: application/json\r\nAuthorization: Bearer {self.token}\r\n\r\n"
            client.sendall(head.encode() + body)
            first = client.recv(1 << 16)
            while client.recv(1 << 16):
                pass
        return int(first.split()[1])


def compare(folder: str, home: str) -> list[tuple[str, ...]]:
    os.environ |= {"S": os.path.join(home, "http", "socket"), "T": os.path.join(home, "http", "token")}
    shell = [shutil.which("bash") or "bash", "-c", CURL]
    events = {
        "a tool call": ("PostToolUse", _TOOL),
        "a start": ("SessionStart", {"source": "startup"}),
        "a prompt": ("UserPromptSubmit", {"prompt": "how do we run the tests here"}),
    }
    rows = []
    for what, (event, fields) in events.items():
        spent: dict[str, list[tuple[float, float]]] = {"shell": [], "hook": []}
        for _ in range(RUNS):
            for name, command in (("shell", shell), ("hook", HOOK)):
                data = build_payload(folder, event, **fields)  # type: ignore[arg-type]
                started = time.perf_counter()
                used = processor_time(command, data)
                spent[name].append((used, time.perf_counter() - started))
        cpu = {name: statistics.median(each[0] for each in times) for name, times in spent.items()}
        wall = {name: statistics.median(each[1] for each in times) for name, times in spent.items()}
        ratio = cpu["hook"] / cpu["shell"]
        rows.append(
            row(
                f"{what}, bash + curl",
                f"{cpu['shell'] * 1000:.1f} ms",
                f"{wall['shell'] * 1000:.1f} ms",
                "",
                target=None,
                value=0,
            )
        )
        told = f"{ratio:.2f} × ({wall['hook'] / wall['shell']:.2f} × wall)"
        rows.append(
            row(
                f"V3 {what}, hook",
                f"{cpu['hook'] * 1000:.1f} ms",
                f"{wall['hook'] * 1000:.1f} ms",
                told,
                target=Target(1.3),
                value=ratio,
            )
        )
    return rows


def load(server: Running, folder: str, seconds: float, rate: float) -> list[tuple[str, ...]]:
    """Send hooks at a steady rate from several threads, and an empty request after every tenth."""
    kinds = ["PostToolUse"] * 14 + ["UserPromptSubmit"] * 3 + ["SessionStart", "Stop", "PostToolUseFailure"]
    times: dict[str, list[float]] = {}
    failed = 0
    lock = threading.Lock()

    def work(number: int) -> None:
        nonlocal failed
        chance = random.Random(number)
        begin = time.perf_counter() + number / rate
        for turn in range(int(seconds * rate / THREADS)):
            wait = begin + turn * THREADS / rate - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            event = chance.choice(kinds)
            fields: dict[str, object] = {**_TOOL, "prompt": "how do we run the tests here", "source": "startup"}
            told = json.loads(build_payload(folder, event, **fields)) | {"session_id": f"load-{number}"}
            for name, request in (
                (event, ("POST", "/hook/event", json.dumps(told).encode())),
                ("empty", ("GET", "/health", b"")),
            ):
                if name == "empty" and turn % 10:
                    continue
                started = time.perf_counter()
                status = server.ask(*request)
                with lock:
                    times.setdefault(name, []).append(time.perf_counter() - started)
                    failed += status != 200

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - started
    hooks = [each for name, found in times.items() if name != "empty" for each in found]
    rows = [_percentiles(name, found) for name, found in sorted(times.items())]
    ratio = _percentile(hooks, 95) / _percentile(times["empty"], 95)
    rows.append(_percentiles("all hooks", hooks))
    rows.append(row("p95 to the empty route", "", "", f"{ratio:.1f} ×"))
    rows.append(row("reached a second", f"{len(hooks) / spent:.0f}", "", ""))
    rows.append(row("refused or failed", str(failed), "", "", target=Target(0, ""), value=failed))
    return rows


def _percentiles(name: str, found: list[float]) -> tuple[str, ...]:
    p50, p95 = (f"{_percentile(found, each) * 1000:.1f} ms" for each in (50, 95))
    return row(name, str(len(found)), p50, p95)


def _percentile(found: list[float], percent: int) -> float:
    return sorted(found)[min(len(found) - 1, len(found) * percent // 100)]


if __name__ == "__main__":
    main()
