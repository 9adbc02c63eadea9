"""`python -m benchmarks.cost [1000 10000 100000]`: what everyday work costs, and what grows with the store: one table.

Processor time of each program alone, the least of several runs taken in turns, as a ratio to a bare interpreter in the
same run: other programs on the machine can only make a run slower, never faster. The stores are built once and kept
(`benchmarks/stores.py`), with caps and backups off.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable

from benchmarks.hooks import BARE, HOOK, build_payload, processor_time
from benchmarks.mcp import Server
from benchmarks.startup import installed_command
from benchmarks.store import size_of
from benchmarks.stores import Prepared, index, prepare, tell
from benchmarks.table import Target, row, show
from limpet import clock
from limpet.api import Limpet
from limpet.queue import files as queue
from limpet.queue.tidy import tidy_payload
from limpet.wiring.bundle import refresh_bundle

RUNS = 5
SIZES = (1_000, 10_000, 100_000)
BOUNDS = {
    "a session starts": (5, 5, 5),
    "a prompt is answered": (8, 8, 9),
    "limpet recall": (8, 8, 8),
    "limpet remember": (10, 10, 10),
}
"""The most that a program may cost at each size, in bare interpreters."""
GROWTH = {
    "a session starts": 1.2,
    "a prompt is answered": 1.2,
    "limpet list": 1.2,
    "a list, in an open process": 1.2,
    "a text is stored": 1.2,
    "1,000 characters are stored": 1.2,
}
"""How much more the largest store may cost than the smallest."""
QUEUED = 160


def main() -> None:
    sizes = [int(each.replace("_", "")) for each in sys.argv[1:]] or list(SIZES)
    for name in ("PROJECT_CAP", "AGENT_CAP", "BACKUP_HOURS"):
        os.environ[f"LIMPET_STORE__{name}"] = "0"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # As after `limpet setup`.
    refresh_bundle()
    rows: list[tuple[str, ...]] = []
    spent: dict[str, dict[int, float]] = {}
    for size in sizes:
        store = prepare(size)
        with store.used():
            tell(f"measuring {size:,}")
            bare, programs = measure_programs(store)
            rows += [_program_row(f"{name}, {size:,}", each, bare, name, size) for name, each in programs.items()]
            calls = _measure_calls(store)
            rows += [row(f"{name}, {size:,}", f"{each * 1000:.1f} ms", f"{each / bare:.1f} ×") for name, each in calls]
            if size == 10_000:
                rows += _measure_queue(store)
            rows += measure_rebuild(store)
        for name, each in (*programs.items(), *calls):
            spent.setdefault(name, {})[size] = each
    rows += _growth_rows(spent, sizes)
    tell("")
    show(f"Cost: the least of {RUNS} runs, and its ratio to a bare interpreter", ["", "now", "ratio"], rows)


def measure_programs(store: Prepared) -> tuple[float, dict[str, float]]:
    """Return the processor time of a bare interpreter, and that of each program."""
    limpet, language = installed_command(), store.language
    question = language.text()[:60]
    commands: dict[str, Callable[[], tuple[list[str], bytes]]] = {
        "bare": lambda: (BARE, b""),
        "a session starts": lambda: (HOOK, build_payload(store.work, "SessionStart", source="startup")),
        "a prompt is answered": lambda: (
            HOOK,
            build_payload(store.work, "UserPromptSubmit", prompt=f"please look at {question}"),
        ),
        "limpet list": lambda: ([*limpet, "list"], b""),
        "limpet recall": lambda: ([*limpet, "recall", question], b""),
        "limpet remember": lambda: ([*limpet, "remember", language.text()], b""),
    }
    least = dict.fromkeys(commands, 1e9)
    for number in range(RUNS + 1):
        for name, command in commands.items():
            shutil.rmtree(os.path.join(store.home, "queue"), ignore_errors=True)
            used = processor_time(*command())
            if number:
                least[name] = min(least[name], used)
    return least.pop("bare"), least


def _program_row(what: str, spent: float, bare: float, name: str, size: int) -> tuple[str, ...]:
    bounds = BOUNDS.get(name)
    target = None if bounds is None else Target(bounds[0 if size < 10_000 else 1 if size < 100_000 else 2])
    return row(what, f"{spent * 1000:.1f} ms", f"{spent / bare:.1f} ×", target=target, value=spent / bare)


def _measure_calls(store: Prepared) -> list[tuple[str, float]]:
    """Return what a process that is open already does, in seconds."""
    language = store.language
    long = (" ".join(language.text() for _ in range(6))[:1000] for _ in range(RUNS))
    with Limpet(home=store.home) as memory:
        memory.upkeep()
        return [
            ("a list, in an open process", _least(memory.list for _ in range(RUNS))),
            ("a search, in an open process", middle(ask(memory, language.question()) for _ in range(RUNS))),
            ("a text is stored", middle(_store(memory, language.text()) for _ in range(3 * RUNS))),
            ("1,000 characters are stored", middle(_store(memory, text) for text in long)),
            ("upkeep with nothing to do", _least(memory.upkeep for _ in range(3))),
        ]


def ask(memory: Limpet, question: str) -> Callable[[], object]:
    return lambda: memory.recall(question)


def _store(memory: Limpet, text: str) -> Callable[[], object]:
    return lambda: memory.remember(text)


def _measure_queue(store: Prepared) -> list[tuple[str, ...]]:
    """Return the row of an MCP call while hooks have queued events: what a caller waits for, on the wall."""
    server = Server()
    questions = [store.language.question() for _ in range(4 * RUNS)]
    server.call("recall", query=questions[0])
    time.sleep(1)
    idle = [_wall(server, question) for question in questions[: 2 * RUNS]]
    for number in range(QUEUED):
        fields = {"tool_name": "Bash", "tool_input": {"command": f"make test-{number}"}}
        result = {"tool_response": {"stdout": "12 passed in 0.31s\n" * 20, "stderr": ""}}
        told = {"session_id": "queued", "cwd": store.work, "hook_event_name": "PostToolUse", **fields, **result}
        now = clock.now_ms()
        record = {"at": now, "host": "claude-code", "dir": store.work, "payload": tidy_payload(told)}
        queue.append(store.home, "queued", record, now_ms=now)
    busy = [_wall(server, question) for question in questions[2 * RUNS :]]
    server.end()
    first, second = statistics.median(idle), statistics.median(busy)
    ratio = second / first
    return [
        row(f"an MCP call, on the wall, {store.size:,}", f"{first * 1000:.1f} ms"),
        row(
            f"the same with {QUEUED} events queued, to the idle one",
            f"{second * 1000:.1f} ms",
            f"{ratio:.2f} ×",
            target=Target(1.2),
            value=ratio,
        ),
    ]


def _wall(server: Server, question: str) -> float:
    began = time.perf_counter()
    server.call("recall", query=question)
    return time.perf_counter() - began


def measure_rebuild(store: Prepared) -> list[tuple[str, ...]]:
    """Delete the index and return the rows of building it again, and of what is on disk."""
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        path = os.path.join(store.home, name)
        if os.path.exists(path):
            os.unlink(path)
    began = time.process_time()
    index(store.home)
    rate = store.size / (time.process_time() - began)
    megabytes = (size_of(store.home, "journal") + size_of(store.home, "index.db")) / 1e6
    target = Target(3000, "/s", at_least=True)
    return [
        row(f"rebuild with vectors, {store.size:,}", f"{rate:,.0f} /s", target=target, value=rate),
        row(f"journal and index, {store.size:,}", f"{megabytes:,.0f} MB"),
    ]


def _growth_rows(spent: dict[str, dict[int, float]], sizes: list[int]) -> list[tuple[str, ...]]:
    first, last = sizes[0], sizes[-1]
    return [
        row(
            f"{name}, {last:,} to {first:,}",
            "",
            f"{spent[name][last] / spent[name][first]:.2f} ×",
            target=Target(bound),
            value=spent[name][last] / spent[name][first],
        )
        for name, bound in GROWTH.items()
        if first != last
    ]


def _least(calls: Iterable[Callable[[], object]]) -> float:
    return min(map(_processor_time_of, calls))


def middle(calls: Iterable[Callable[[], object]]) -> float:
    """Return the median: these calls differ by their text."""
    return statistics.median(map(_processor_time_of, calls))


def _processor_time_of(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


if __name__ == "__main__":
    main()
