"""A server that is killed, flooded or fed with nonsense: nothing acknowledged is lost, and nothing is left behind."""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from limpet import clock
from limpet.api import Limpet
from limpet.queue import files as queue
from limpet.wiring.proof import find_processes
from tests.cli.hooks import PROGRAM, Host, payload
from tests.faults import scale
from tests.http.served import Nursery, Served, serve

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")

ROUTES = (
    "/memories",
    "/memories/search",
    "/facts",
    "/timeline",
    "/stats",
    "/receipts",
    "/import",
    "/mcp",
    "/metrics",
)
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW")
TEXTS = (
    *("", "a", "mem_0", "..%2f..", "%00", "%ff", "true", "-1", "9" * 40, "\ud83d", "é" * 300, "' OR 1=1", "[" * 50),
)
NAMES = (
    *("text", "id", "ids", "query", "limit", "tags", "session_id", "cwd", "hook_event_name", "tool_name", "prompt"),
    *("tool_input", "tool_response", "jsonrpc", "method", "params", "subject", "predicate", "object", "kind"),
)
HEADERS = ("Limpet-Folder", "Limpet-Session", "Limpet-Host", "Limpet-Event", "MCP-Protocol-Version", "Mcp-Method")


class Writers:
    """Threads that store memories and report events until the server is gone, and note what was acknowledged."""

    def __init__(self, served: Served, round: int) -> None:
        self.ids: list[str] = []
        self.events: list[str] = []
        self._threads = [
            threading.Thread(target=self._work, args=(served, round, number), daemon=True) for number in range(4)
        ]
        for thread in self._threads:
            thread.start()

    def _work(self, served: Served, round: int, number: int) -> None:
        for turn in range(1000):
            mark = f"{round}-{number}-{turn}"
            try:
                if number % 2:
                    text = f"Build {mark} of the harbour uses compiler {random.Random(mark).random()}."
                    found = served.send("POST", "/memories", json.dumps({"text": text}).encode(), {})
                    if found.status == 200 and found.json.get("outcome") == "stored":
                        self.ids.append(found.json["id"])
                else:
                    told = {**payload("Stop", cwd=str(served.project)), "session_id": f"s-{mark}"}
                    if served.send("POST", "/hook/stop", json.dumps(told).encode(), {}).status == 200:
                        self.events.append(f"s-{mark}")
            except (OSError, http.client.HTTPException, ValueError):
                return

    def wait_for(self, ids: int, events: int) -> None:
        """Wait until so many writes were acknowledged, so that a kill falls into the work on any machine."""
        for _ in clock.attempts(60_000, every_ms=1):
            if len(self.ids) >= ids and len(self.events) >= events:
                return

    def join(self) -> None:
        for thread in self._threads:
            thread.join(timeout=60)
            assert not thread.is_alive()


def test_a_server_killed_under_load_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(scale.SEED)
    ids: list[str] = []
    events: list[str] = []
    nursery = Nursery(tmp_path)
    try:
        for round in range(scale.KILLS_OF_SERVERS):
            pid, served = nursery.start()
            writers = Writers(served, round)
            writers.wait_for(chance.randrange(6), chance.randrange(12))
            nursery.kill(pid)
            writers.join()
            ids += writers.ids
            events += writers.events
    finally:
        nursery.close()
    assert len(ids) > scale.KILLS_OF_SERVERS
    assert len(events) > scale.KILLS_OF_SERVERS
    print(f"{scale.KILLS_OF_SERVERS} kills: {len(ids)} memories, {len(events)} events acknowledged")
    home = str(tmp_path / "home")
    queued = {
        record["payload"]["session_id"] for name in queue.list_queue_files(home) for _, record in queue.read(home, name)
    }
    assert [each for each in events if each not in queued] == []
    with Limpet(home=home, cwd=str(tmp_path / "project")) as limpet:
        assert [each for each in ids if limpet.get(each).id != each] == []
        report = limpet.doctor()
    assert [problem for problem in report.problems if not problem.fixable] == []


def test_no_server_is_left_if_a_test_dies(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path)
    pid, _ = nursery.start()
    nursery.close()
    for _ in clock.attempts(10_000, every_ms=5):
        if host_of(pid) != str(tmp_path / "home"):
            break
    assert host_of(pid) != str(tmp_path / "home")


def resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def test_sessions_that_are_started_and_killed_leave_one_server_and_no_process(tmp_path: Path) -> None:
    host = Host(tmp_path)
    batch = 20
    chance = random.Random(11)
    sizes: list[float] = []
    with serve(tmp_path) as served:
        for first in range(0, scale.SESSIONS_WITH_A_SERVER, batch):
            running = []
            for number in range(first, first + batch):
                event = chance.choice(("SessionStart", "UserPromptSubmit", "PostToolUse", "SessionEnd"))
                told = {**payload(event, cwd=str(host.project), prompt="how do we build"), "session_id": f"k-{number}"}
                hook = subprocess.Popen(
                    PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=host.environment, cwd=host.project
                )
                assert hook.stdin is not None
                hook.stdin.write(json.dumps(told).encode())
                hook.stdin.close()
                running.append(hook)
            for hook in running:
                if chance.random() < 0.5:
                    hook.kill()
            for hook in running:
                hook.wait(timeout=60)
            sizes.append(resident_mb(served.process.pid))
        assert served.ask("GET", "/stats").status == 200
        ours = [process for process in find_processes() if host_of(process.pid) == str(host.home)]
        assert [process.pid for process in ours] == [served.process.pid]
        # The first batch loads what later ones use.
        assert sizes[-1] - sizes[0] < 40, sizes
    assert [process for process in find_processes() if host_of(process.pid) == str(host.home)] == []


def host_of(pid: int) -> str:
    """Return the home that a process was started with."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    return next((os.fsdecode(each[12:]) for each in environment if each.startswith(b"LIMPET_HOME=")), "")


def fuzz(chance: random.Random, depth: int = 0) -> Any:
    kinds = ("text", "number", "bool", "none", "list", "dict") if depth < 4 else ("text", "number")
    match chance.choice(kinds):
        case "text":
            return chance.choice(TEXTS) * chance.randrange(1, 4)
        case "number":
            return chance.choice((0, -1, 1.5, 1e308, 2**70, -(2**63)))
        case "bool":
            return chance.random() < 0.5
        case "none":
            return None
        case "list":
            return [fuzz(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): fuzz(chance, depth + 1) for _ in range(chance.randrange(6))}


def test_no_request_makes_the_server_fail(tmp_path: Path) -> None:
    chance = random.Random(3)
    with serve(tmp_path) as served:
        served.remember("The gate closes at ten.")
        before = resident_mb(served.process.pid)
        for _ in range(scale.FUZZED_REQUESTS):
            found = send_nonsense(served, chance)
            assert found is None or found < 500
        assert served.process.poll() is None
        # The first memory may be gone: the beginning of an id is enough to forget it.
        assert served.remember("The gate opens at six.")
        assert resident_mb(served.process.pid) - before < 50


def send_nonsense(served: Served, chance: random.Random) -> int | None:
    """Send a request that may be good; return its status, or None if it is none that can be sent."""
    path = chance.choice(
        (
            chance.choice(ROUTES),
            f"/memories/{chance.choice(TEXTS)}",
            f"/memories/{chance.choice(TEXTS)}/{chance.choice(('pin', 'feedback', 'purge', 'blame', 'x'))}",
            f"/hook/{chance.choice(('session_start', 'post_tool_use', 'user_prompt_submit', 'event', 'upkeep', 'x'))}",
            f"{chance.choice(ROUTES)}?{chance.choice(('limit', 'query', 'kind', 'at', 'x'))}={chance.choice(TEXTS)}",
        )
    )
    good = json.dumps(fuzz(chance)).encode()
    body = chance.choice((None, b"", b"\xff\xfe", b"{", good, good))
    headers: dict[str, str | None] = {"Accept": "application/json, text/event-stream"}
    for name in HEADERS:
        if chance.random() < 0.15:
            headers[name] = chance.choice(TEXTS).encode("utf-8", "replace").decode("latin-1")
    address = path.encode("utf-8", "replace").decode("latin-1").replace(" ", "+")
    try:
        return served.send(chance.choice(METHODS), address, body, headers).status
    except (UnicodeError, http.client.InvalidURL, ValueError):
        return None
