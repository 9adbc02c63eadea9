"""An answer counts as told only if the hook uses it, however late the server is."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from limpet import clock
from limpet.api import Limpet
from limpet.http.auth import Credentials
from limpet.http.routes import Server, build_app
from limpet.settings import load
from tests.cli.hooks import Host, payload
from tests.http.served import Served, environment, wait_until_ready

FACT = "Releases are signed with the key of the team."


class Wire:
    """The two ends of a request: what the sender sends next, and what the server has said so far."""

    def __init__(self, body: bytes, *, more: bool) -> None:
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._messages.put_nowait({"type": "http.request", "body": body, "more_body": more})
        self.said = b""

    async def receive(self) -> dict[str, Any]:
        return await self._messages.get()

    async def send(self, message: Any) -> None:
        self.said += message.get("body", b"")

    async def wait_for_answer(self) -> None:
        while not self.said.endswith(b"\n"):
            await asyncio.sleep(0.001)

    def confirm(self) -> None:
        self._messages.put_nowait({"type": "http.request", "body": b"\n", "more_body": False})

    def hang_up(self) -> None:
        self._messages.put_nowait({"type": "http.disconnect"})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    project = tmp_path / "project"
    project.mkdir()
    with Limpet(home=str(tmp_path / "home"), cwd=str(project)) as limpet:
        limpet.remember(FACT)
    one = Server(load(home=str(tmp_path / "home")), folder=str(project))
    yield one
    one.close()


def scope(body: bytes) -> dict[str, Any]:
    headers = {
        "host": "localhost",
        "authorization": "Bearer t",
        "content-type": "application/json",
        "content-length": str(len(body) + 1),
        "limpet-event": "e1",
    }
    return {
        "type": "http",
        "method": "POST",
        "path": "/hook/event",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


def start_event(server: Server) -> bytes:
    return json.dumps(payload("SessionStart", cwd=server.folder, source="startup")).encode()


def count_receipts(server: Server) -> int:
    with Limpet(home=server.settings.home, cwd=server.folder) as limpet:
        return len(limpet.why().receipts)


@pytest.mark.parametrize(("ending", "receipts"), [("confirm", 1), ("hang_up", 0)])
def test_a_receipt_is_written_only_if_the_hook_confirms_the_answer(server: Server, ending: str, receipts: int) -> None:
    async def talk() -> None:
        body = start_event(server)
        wire = Wire(body, more=True)
        work = asyncio.ensure_future(build_app(server, Credentials.of("t"))(scope(body), wire.receive, wire.send))
        # The answer is on its way when the hook gives up, which is later than any check before it was sent.
        await asyncio.wait_for(wire.wait_for_answer(), 60)
        assert "signed" in wire.said.decode()
        getattr(wire, ending)()
        await asyncio.wait_for(work, 60)

    asyncio.run(talk())
    assert count_receipts(server) == receipts


def test_the_event_of_a_hook_that_has_gone_is_left_to_the_hook(server: Server) -> None:
    async def talk() -> None:
        body = start_event(server)
        wire = Wire(body, more=True)
        wire.hang_up()
        with server.hurried.use():
            work = asyncio.ensure_future(build_app(server, Credentials.of("t"))(scope(body), wire.receive, wire.send))
            await asyncio.sleep(0)
        await asyncio.wait_for(work, 60)
        assert "signed" not in wire.said.decode()

    asyncio.run(talk())
    assert count_receipts(server) == 0


# The server stops itself at the given function, before or after the function has done its work, or waits for a file.
_STOPPING = """
import importlib, os, signal, sys, time
from limpet.cli.program import run
module, name, when = sys.argv.pop(1).split()
target = importlib.import_module(module)
original = getattr(target, name)
def stop(*arguments, **named):
    setattr(target, name, original)
    if when == "before":
        os.kill(os.getpid(), signal.SIGSTOP)
    while when == "wait" and not os.path.exists("go"):
        time.sleep(0.01)
    found = original(*arguments, **named)
    if when == "after":
        os.kill(os.getpid(), signal.SIGSTOP)
    return found
setattr(target, name, stop)
sys.exit(run(sys.argv[1:]))
"""


@contextmanager
def serve_and_stop_at(folder: Path, place: str) -> Iterator[Served]:
    (folder / "project").mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", _STOPPING, place, "serve", "--port", "0"],
        cwd=folder / "project",
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        yield wait_until_ready(folder, process)
    finally:
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        assert process.stdout is not None
        process.stdout.close()


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


PLACES = (
    "limpet.http.hooks queue_event before",
    "limpet.queue.files append before",
    "limpet.queue.files append after",
    "limpet.http.hooks answer_with before",
    "limpet.http.hooks answer_with after",
)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
@pytest.mark.parametrize("place", PLACES)
def test_wherever_a_server_is_late_the_hook_answers_and_the_event_counts_once(tmp_path: Path, place: str) -> None:
    # A hook gives up before a busy server has read its event. Such a server never comes to the place, so try again.
    assert any(_finds_one_answer_of_a_late_server(tmp_path / str(number), place) for number in range(5))


def _finds_one_answer_of_a_late_server(folder: Path, place: str) -> bool:
    """Check what is counted after a server was stopped at a place; return False if it never came there."""
    folder.mkdir()
    host = Host(folder)
    host.limpet("remember", FACT)
    with serve_and_stop_at(folder, place) as served:
        assert "signed" in host.context("SessionStart", source="startup")
        if not any(is_stopped(served.process.pid) for _ in clock.attempts(5_000, every_ms=20)):
            return False
        served.process.send_signal(signal.SIGCONT)
        # It goes on, and finishes what it was doing before it ends.
        for _ in clock.attempts(10_000, every_ms=20):
            if 'path="/hook/{event}"' in served.ask("GET", "/metrics").text:
                break
        receipts = served.ask("GET", "/receipts").json["receipts"]
    assert [each["hook_event_name"] for each in host.queued()] == ["SessionStart"]
    assert len(receipts) == 1
    return True


def test_a_server_that_works_for_too_long_is_left(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.limpet("remember", FACT)
    with serve_and_stop_at(tmp_path, "limpet.http.hooks answer_with wait") as served:
        try:
            # It sends signs of life all the while.
            assert "signed" in host.context("SessionStart", source="startup")
        finally:
            (served.project / "go").touch()
    assert [each["hook_event_name"] for each in host.queued()] == ["SessionStart"]


def test_no_prompt_waits_while_a_start_takes_in_what_other_sessions_left(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.limpet("remember", FACT)
    fields = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": "ok"}}
    with serve_and_stop_at(tmp_path, "limpet.learning.worker learn_from_queue wait") as served:

        def fire(event: str, session: str, **more: object) -> str:
            told = {**payload(event, cwd=str(served.project), **more), "session_id": session}
            return served.ask("POST", "/hook/event", told).text

        fire("PostToolUse", "earlier", **fields)
        start = threading.Thread(target=fire, args=("SessionStart", "new"), kwargs={"source": "startup"})
        start.start()
        try:
            # The start works: its event is in the queue, and it has not answered.
            for _ in clock.attempts(10_000, every_ms=20):
                if [each["hook_event_name"] for each in host.queued()].count("SessionStart"):
                    break
            assert "signed" in fire("UserPromptSubmit", "another", prompt=f"are releases signed? {FACT}")
            assert start.is_alive()
        finally:
            (served.project / "go").touch()
            start.join(timeout=60)
