"""`python -m benchmarks.peers FOLDER [runs]`: what other memories cost beside Limpet, in one run.

FOLDER holds the peers that `make bench-peers` installs with npm. Hooks: the commands that claude-mem itself registers
for Claude Code, run by a shell as the client does, once its worker is up; what the worker does later is not counted.
Tools: storing and finding through MCP, with the processor time of the server's process alone, and the memory it holds
afterwards. A peer that is not there, or does not start here, is named in one line.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.hooks import BARE, HOOK, build_payload, prepare_home, processor_time
from benchmarks.mcp import Server
from benchmarks.store import surroundings
from benchmarks.table import row, show

RUNS = 7
TEXTS = 200
EVENTS = ("PostToolUse", "SessionStart", "UserPromptSubmit")


def main() -> None:
    folder, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else RUNS
    with surroundings() as home:
        filler = prepare_home(home)
        filler.fill(1000)
        filler.settle()
        _compare_hooks(folder, home, runs)
        _compare_tools(folder, home, filler.texts(TEXTS))


def _compare_hooks(folder: str, home: str, runs: int) -> None:
    package = os.path.join(folder, "claude-mem", "plugin")
    commands = _read_hooks(package)
    environment = os.environ | {
        "HOME": os.path.join(home, "peer"),
        "CLAUDE_PLUGIN_ROOT": package,
        "PATH": os.pathsep.join([os.path.join(folder, "node_modules", ".bin"), os.environ["PATH"]]),
    }
    os.makedirs(environment["HOME"], exist_ok=True)
    rows = []
    with _end_daemons(environment["HOME"]):
        if not commands:
            print("claude-mem is not installed; make bench-peers installs it")
        elif not _warm_up(commands["SessionStart"], environment, home):
            print("claude-mem does not start here")
            commands = {}
        for event in EVENTS:
            own, others = [], []
            for _ in range(runs):
                data = _build_event(event, home)
                own.append(processor_time(HOOK, data) / processor_time(BARE, b""))
                if commands:
                    others.append(_run(commands[event], environment, data) / processor_time(BARE, b""))
            theirs = f"{statistics.median(others):.0f} ×" if others else "–"
            rows.append(row(event, f"{statistics.median(own):.1f} ×", theirs))
    show(f"Hooks against a bare interpreter, median of {runs}", ["", "limpet", "claude-mem"], rows)


def _read_hooks(package: str) -> dict[str, list[str]]:
    """Return the commands that a plugin registers for each event."""
    try:
        with open(os.path.join(package, "hooks", "hooks.json"), encoding="utf-8") as file:
            registered = json.load(file)["hooks"]
    except OSError:
        return {}
    return {
        event: [hook["command"] for group in registered[event] for hook in group["hooks"]]
        for event in EVENTS
        if event in registered
    }


def _build_event(event: str, folder: str) -> bytes:
    fields: dict[str, dict[str, Any]] = {
        "PostToolUse": {
            "tool_name": "Bash",
            "tool_input": {"command": "make test"},
            "tool_response": {"stdout": "tests/test_a.py ..... [100%]\n12 passed in 0.31s\n" * 20, "stderr": ""},
        },
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "please look at why the checkout test fails"},
    }
    return build_payload(folder, event, **fields[event])


def _warm_up(commands: list[str], environment: dict[str, str], folder: str) -> bool:
    """Start the worker of a peer as the client would, and tell whether its hooks then succeed."""
    for _ in range(3):
        try:
            _run(commands, environment, _build_event("SessionStart", folder))
        except (OSError, subprocess.SubprocessError):
            time.sleep(5)
        else:
            return True
    return False


def _run(commands: list[str], environment: dict[str, str], data: bytes) -> float:
    """Return the processor time of the commands of one event and of the processes that they wait for."""
    spent = 0.0
    for command in commands:
        process = subprocess.Popen(
            ["sh", "-c", command],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        spent += used.ru_utime + used.ru_stime
    return spent


@contextmanager
def _end_daemons(home: str) -> Iterator[None]:
    """End whatever still runs with this HOME when the measurement is over."""
    try:
        yield
    finally:
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if f"HOME={home}".encode() in file.read().split(b"\0"):
                        os.kill(int(name), signal.SIGKILL)
            except OSError:
                continue


def _compare_tools(folder: str, home: str, texts: list[str]) -> None:
    rows = [_measure_tools("limpet", Server(), _store_here, _find_here, texts)]
    program = os.path.join(folder, "node_modules", ".bin", "mcp-server-memory")
    if os.path.exists(program):
        os.environ["MEMORY_FILE_PATH"] = os.path.join(home, "memory.jsonl")
        rows.append(_measure_tools("server-memory", Server(command=[program]), _store_entity, _find_entity, texts))
    else:
        print("server-memory is not installed; make bench-peers installs it")
    show(f"Tools, {len(texts)} texts", ["", "store", "find", "resident"], rows)


def _measure_tools(
    name: str,
    server: Server,
    store: Callable[[Server, str], object],
    find: Callable[[Server, str], object],
    texts: list[str],
) -> tuple[str, ...]:
    spent = []
    for call in (store, find):
        call(server, texts[0])
        before = server.processor_time()
        for text in texts[1:]:
            call(server, text)
        spent.append((server.processor_time() - before) / (len(texts) - 1) * 1000)
    resident = server.resident_mb()
    server.end()
    return row(name, f"{spent[0]:.1f} ms", f"{spent[1]:.1f} ms", f"{resident:.0f} MB")


def _store_here(server: Server, text: str) -> object:
    return server.call("store_memory", content=text)


def _find_here(server: Server, text: str) -> object:
    return server.call("recall", query=text[:40])


def _store_entity(server: Server, text: str) -> object:
    entity = {"name": text[:30], "entityType": "note", "observations": [text]}
    return server.ask("tools/call", name="create_entities", arguments={"entities": [entity]})


def _find_entity(server: Server, text: str) -> object:
    # It finds only what contains the whole question, so it is asked for one word.
    return server.ask("tools/call", name="search_nodes", arguments={"query": text.split()[0]})


if __name__ == "__main__":
    main()
