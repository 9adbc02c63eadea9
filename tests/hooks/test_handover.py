"""Handing an event over: with a server it does the work; a server that hangs, lies or dies never costs an answer."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import limpet
from limpet.clock import now_ms
from limpet.hooks.handover import MOST_BYTES
from limpet.queue import files as queue
from tests.cli.hooks import PROGRAM, SESSION, Host, payload
from tests.http.served import serve

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no socket files here")

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\n"


@contextmanager
def pretend(home: Path, behave: Callable[[socket.socket], None]) -> Iterator[list[bytes]]:
    """Listen where a server would, and treat each connection as told; yield what was received first."""
    (home / "http").mkdir(parents=True, exist_ok=True)
    (home / "http" / "token").write_text("x" * 43)
    seen: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(home / "http" / "socket"))
        listening.listen()
        held = []

        def accept() -> None:
            while True:
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                held.append(client)
                seen.append(client.recv(65536))
                behave(client)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield seen
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(timeout=10)
            for client in held:
                client.close()


def say(*parts: bytes, close: bool = True) -> Callable[[socket.socket], None]:
    def behave(client: socket.socket) -> None:
        client.sendall(parts[0])
        if parts[1:]:
            client.recv(1 << 20)
            client.sendall(b"".join(parts[1:]))
        if close:
            client.close()

    return behave


BAD_SERVERS: dict[str, Callable[[socket.socket], None]] = {
    "says nothing": lambda client: None,
    "closes at once": lambda client: client.close(),
    "refuses": say(b"HTTP/1.1 401 Unauthorized\r\n\r\n"),
    "is no server": say(b"SSH-2.0-OpenSSH\r\n"),
    "takes the body and hangs": say(CONTINUE, b"", close=False),
    "takes the body and dies": say(CONTINUE, b""),
    "fails": say(CONTINUE, b"HTTP/1.1 500 Internal Server Error\r\n\r\n{}"),
    "begins and hangs": say(CONTINUE, OK + b"transfer-encoding: chunked\r\n\r\n1\r\n \r\n", close=False),
    "begins and dies": say(CONTINUE, OK + b"transfer-encoding: chunked\r\n\r\n1\r\n \r\n"),
    "answers half": say(CONTINUE, OK + b'content-length: 90\r\n\r\n{"hookSpecificOutput": {"add'),
    "fails late": say(CONTINUE, OK + b"transfer-encoding: chunked\r\n\r\n1\r\n \r\n1\r\n!\r\n0\r\n\r\n"),
    "sends no chunks": say(CONTINUE, OK + b"transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
}


@pytest.mark.parametrize("kind", BAD_SERVERS)
def test_whatever_a_server_does_the_hook_answers(tmp_path: Path, kind: str) -> None:
    host = Host(tmp_path)
    host.limpet("remember", "Always run the linter before a commit.")
    with pretend(host.home, BAD_SERVERS[kind]) as seen:
        assert "linter" in host.context("SessionStart", source="startup")
        assert host.fire("PostToolUse", tool_name="Bash", tool_input={"command": "make"}) == ""
    assert len(seen) == 2
    assert [each["hook_event_name"] for each in host.queued()] == ["SessionStart", "PostToolUse"]
    assert not (host.home / "hook.log").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_an_answer_that_the_host_cannot_take_is_no_failure(tmp_path: Path) -> None:
    host = Host(tmp_path)
    with serve(tmp_path) as served, open("/dev/full", "w") as full:
        served.remember("Always run the linter before a commit.")
        told = json.dumps(payload("SessionStart", source="startup", cwd=str(host.project)))
        done = subprocess.run(
            PROGRAM, input=told, stdout=full, stderr=subprocess.PIPE, env=host.environment, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_socket_file_without_a_server_is_no_server(tmp_path: Path) -> None:
    host = Host(tmp_path)
    (host.home / "http").mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(host.home / "http" / "socket"))
    host.fire("Stop")
    assert len(host.queued()) == 1


def test_a_server_does_the_work(tmp_path: Path) -> None:
    host = Host(tmp_path)
    with serve(tmp_path) as served:
        served.remember("Always run the linter before a commit.")
        assert "linter" in host.context("SessionStart", source="startup")
        assert host.fire("PostToolUse", tool_name="Bash", tool_input={"command": "make"}) == ""
        counted = served.ask("GET", "/metrics").text
    assert 'limpet_requests_total{path="/hook/{event}",status="200"} 2.0' in counted
    assert [each["hook_event_name"] for each in host.queued()] == ["SessionStart", "PostToolUse"]


def test_a_server_that_is_stopped_leaves_the_event_to_the_hook_and_does_not_repeat_it(tmp_path: Path) -> None:
    host = Host(tmp_path)
    with serve(tmp_path) as served:
        served.process.send_signal(signal.SIGSTOP)
        host.fire("PostToolUse", tool_name="Bash", tool_input={"command": "make"})
        served.process.send_signal(signal.SIGCONT)
        assert served.ask("GET", "/stats").status == 200
        host.fire("Stop")
        assert [each["hook_event_name"] for each in host.queued()] == ["PostToolUse", "Stop"]


def test_an_event_that_the_server_wrote_before_it_died_is_not_written_again(tmp_path: Path) -> None:
    host = Host(tmp_path)

    def write_and_die(client: socket.socket) -> None:
        client.sendall(CONTINUE)
        told = json.loads(client.recv(1 << 20))
        id = seen[-1].partition(b"Limpet-Event: ")[2].partition(b"\r\n")[0].decode()
        now = now_ms()
        queue.append(str(host.home), told["session_id"], {"at": now, "payload": told, "id": id}, now_ms=now)
        client.close()

    with pretend(host.home, write_and_die) as seen:
        host.fire("Stop")
        host.fire("Stop")
    assert len(host.queued()) == 2


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("UserPromptSubmit", {"prompt": "Please REMEMBER that I use fish."}),
        ("UserPromptExpansion", {"command_name": "limpet:please-remember", "command_args": "x"}),
        ("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "x" * MOST_BYTES}}),
    ],
)
def test_what_only_the_hook_can_judge_is_not_handed_over(tmp_path: Path, event: str, fields: dict[str, object]) -> None:
    host = Host(tmp_path)
    with pretend(host.home, BAD_SERVERS["closes at once"]) as seen:
        host.fire(event, **fields)
    assert seen == []
    assert len(host.queued()) == 1


def test_a_hook_with_settings_of_its_own_does_not_use_those_of_the_server(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.environment["LIMPET_CAPTURE__ENABLED"] = "false"
    with pretend(host.home, BAD_SERVERS["closes at once"]) as seen:
        host.fire("Stop")
    assert (seen, host.queued()) == ([], [])


def test_the_folder_of_the_host_reaches_the_server_in_any_script(tmp_path: Path) -> None:
    host = Host(tmp_path / "größer 10%")
    with serve(tmp_path / "größer 10%") as served:
        done = host.raw(json.dumps(payload("Stop", cwd="/")).encode())
        assert (done.returncode, done.stderr) == (0, b"")
        [name] = queue.list_queue_files(str(served.home))
        [(_, record)] = queue.read(str(served.home), name)
    assert (record["dir"], record["payload"]["session_id"]) == (str(host.project), SESSION)
    if "id" not in record:
        pytest.skip("this machine is so busy that the hook has queued the event itself")


def test_the_handover_loads_no_module_that_the_interpreter_has_not_loaded() -> None:
    source = str(Path(limpet.__file__).parent.parent)
    code = (
        f"import sys; sys.path.append({source!r}); known = set(sys.modules);"
        "import limpet.hooks.handover; print(*sys.modules.keys() - known)"
    )
    said = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    assert {name for name in said.split() if not name.startswith("limpet")} <= {"__future__"}
