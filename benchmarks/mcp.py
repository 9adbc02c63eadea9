"""Measure what the MCP server costs its client: `python -m benchmarks.mcp [1000] [runs]`.

Memory is what the idle process holds after a few calls. Tokens are those of the tool list and of a default answer over
long memories, as a model gets them. Start-up is the processor time until the first answer, as a ratio to a bare
interpreter.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.store import Filler, surroundings
from benchmarks.table import Target, row, show
from limpet.text.tokens import count_tokens

RUNS = 5


class Server:
    """A real server on pipes."""

    def __init__(self, *flags: str, command: Sequence[str] = ()) -> None:
        self._process = subprocess.Popen(
            command or [sys.executable, "-m", "limpet", "mcp", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0
        info = {"name": "bench", "version": "0"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=info)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())["result"]

    def call(self, name: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=name, arguments=arguments)["structuredContent"]

    def resident_mb(self) -> float:
        with open(f"/proc/{self._process.pid}/status", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def processor_time(self) -> float:
        """Return the processor time that it has taken so far."""
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> float:
        """Close its input and return the processor time that it took in all."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.read()
        self._process.stdout.close()
        _, _, used = os.wait4(self._process.pid, 0)
        self._process.returncode = 0
        return used.ru_utime + used.ru_stime


def main() -> None:
    memories = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else RUNS
    with surroundings() as folder:
        os.environ["LIMPET_HOME"] = os.path.join(folder, "home")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "bytecode")
        filler = Filler(os.environ["LIMPET_HOME"])
        filler.fill(memories)
        filler.settle()
        starts, bare = _measure_starts(runs)
        rows = [*_measure_memory(filler, memories), *_measure_tokens(filler)]
    ratio = f"{starts / bare:.0f} ×"
    rows.append(row("start, one question, end", f"{starts * 1000:.0f} ms", ratio))
    show("V7, V9, V13 the MCP server", ["", "value", "ratio"], rows)


def _measure_memory(filler: Filler, memories: int) -> list[tuple[str, ...]]:
    server = Server()
    server.ask("tools/list")
    fresh, began = server.resident_mb(), server.processor_time() * 1000
    for text in filler.texts(10):
        server.call("store_memory", content=text)
        server.call("recall", query=text[:40])
    server.call("ltm_status")
    time.sleep(1)
    idle = server.resident_mb()
    server.end()
    return [
        row("V13 initialize and tools/list, CPU", f"{began:.0f} ms", target=Target(150, "ms"), value=began),
        row("V13 resident, before the first call", f"{fresh:.1f} MB", target=Target(40, "MB"), value=fresh),
        row(f"V7 resident, idle with {memories:,} memories", f"{idle:.1f} MB", target=Target(45, "MB"), value=idle),
    ]


def _measure_tokens(filler: Filler) -> list[tuple[str, ...]]:
    server = Server()
    listed, instructions = _count_json(server.ask("tools/list")), _count_instructions()
    for text in filler.texts(12):
        server.call("store_memory", content=f"The pelican cluster. {text} " * 20)
    answer = server.call("recall", query="pelican cluster")
    server.end()
    everything = Server("--tools", "all")
    everywhere = _count_json(everything.ask("tools/list"))
    everything.end()
    return [
        row("V9 tool list", f"{listed} tokens", target=Target(1500, "tokens"), value=listed),
        row("V9 tool list, --tools all", f"{everywhere} tokens"),
        row(
            f"V9 default answer, {len(answer['memories'])} long memories",
            f"{_count_json(answer)} tokens",
            target=Target(2000, "tokens"),
            value=_count_json(answer),
        ),
        row("instructions", f"{instructions} tokens"),
    ]


def _count_json(value: Any) -> int:
    return count_tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _count_instructions() -> int:
    from limpet.mcp.instructions import INSTRUCTIONS

    return count_tokens(INSTRUCTIONS)


def _measure_starts(runs: int) -> tuple[float, float]:
    served, bare = [], []
    for number in range(runs + 1):
        server = Server()
        server.call("recall", query="anything at all")
        spent = server.end()
        process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "pass"])
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        # The first run only fills the caches.
        if number:
            served.append(spent)
            bare.append(used.ru_utime + used.ru_stime)
    return statistics.median(served), statistics.median(bare)


if __name__ == "__main__":
    main()
