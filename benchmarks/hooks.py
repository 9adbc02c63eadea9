"""`python -m benchmarks.hooks [1000 10000 …]`: what the hook program costs, as ratios to a bare interpreter.

Processor time of the child alone, the median of several runs taken in turns. Each run begins with an empty queue; a
start that finds a session waiting there learns from it first, and is measured apart. The last size is compared with the
first (V4): a session must not start more slowly because there is more to remember.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys

from benchmarks.store import Filler, surroundings
from benchmarks.table import Target, row, show
from limpet.cli import hook
from limpet.wiring.bundle import refresh_bundle

RUNS = 15
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
HOOK = [sys.executable, "-I", "-S", os.path.join(os.path.dirname(os.path.abspath(hook.__file__)), "run_hook.py")]


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or [1_000, 10_000]
    starts = {}
    rows = []
    with surroundings() as folder:
        filler = prepare_home(folder)
        for size in sizes:
            filler.fill(size)
            filler.settle()
            question = filler.texts(1)[0][:60]
            measured = _measure(folder, question)
            bare = measured["bare"]
            starts[size] = measured["start"] / bare
            if size == sizes[0]:
                rows.append(_row("V1 a tool call is written down", measured["tool"], bare, 2.5))
            rows.append(_row(f"V2 a session starts, {size:,} memories", measured["start"], bare, 5))
            rows.append(_row(f"V2 a prompt is answered, {size:,} memories", measured["prompt"], bare, 8))
            rows.append(_row(f"a session starts while another waits, {size:,}", measured["after another"], bare, None))
    first, last = sizes[0], sizes[-1]
    growth = starts[last] / starts[first]
    target = Target(1.2)
    rows.append(row(f"V4 start at {last:,} to start at {first:,}", "", f"{growth:.2f} ×", target=target, value=growth))
    show(f"Hooks, median of {RUNS}", ["", "processor", "ratio"], rows)


def prepare_home(folder: str) -> Filler:
    """Make a home in a folder as `limpet setup` leaves it, and return what fills it."""
    os.environ["LIMPET_HOME"] = os.path.join(folder, "home")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    refresh_bundle()
    return Filler(os.environ["LIMPET_HOME"])


def _row(what: str, spent: float, bare: float, bound: float | None) -> tuple[str, ...]:
    target = None if bound is None else Target(bound)
    return row(what, f"{spent * 1000:.1f} ms", f"{spent / bare:.1f} ×", target=target, value=spent / bare)


def _measure(folder: str, question: str) -> dict[str, float]:
    times: dict[str, list[float]] = {"bare": [], "tool": [], "start": [], "prompt": [], "after another": []}
    for number in range(RUNS + 1):
        told = {
            "bare": (BARE, b""),
            "tool": (
                HOOK,
                build_payload(
                    folder,
                    "PostToolUse",
                    tool_name="Bash",
                    tool_input={"command": "make test"},
                    tool_response={"stdout": "tests/test_a.py ..... [100%]\n12 passed in 0.31s\n" * 20, "stderr": ""},
                ),
            ),
            "start": (HOOK, build_payload(folder, "SessionStart", source="startup")),
            "prompt": (HOOK, build_payload(folder, "UserPromptSubmit", prompt=f"please look at {question}")),
        }
        told["after another"] = told["start"]
        for name, (command, data) in told.items():
            shutil.rmtree(os.path.join(os.environ["LIMPET_HOME"], "queue"), ignore_errors=True)
            if name == "after another":
                processor_time(*told["prompt"])
            spent = processor_time(command, data)
            if number:
                times[name].append(spent)
    return {name: statistics.median(each) for name, each in times.items()}


def build_payload(folder: str, event: str, **fields: object) -> bytes:
    session = os.urandom(8).hex()
    told = {"session_id": session, "cwd": folder, "transcript_path": "/nowhere", "hook_event_name": event, **fields}
    return json.dumps(told).encode()


def processor_time(command: list[str], data: bytes) -> float:
    """Return the processor time of a program that reads some bytes."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
