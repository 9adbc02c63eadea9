"""The doctor proves that nothing of Limpet is left running, and that it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.wiring import proof
from tests.operations.sandbox import Sandbox


def test_every_check_that_passed_is_reported(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    found = sandbox.ask("doctor", prove=True)
    assert found.problems == []
    assert [sentence.split(":")[0].split(" ")[0] for sentence in found.proved][-2:] == [sys.executable, "the"]
    assert any("loads Limpet" in sentence for sentence in found.proved)
    assert any("the MCP server answers with" in sentence for sentence in found.proved)
    assert any(str(sandbox.project) in sentence for sentence in found.proved)


def test_a_server_that_does_not_answer_is_found(sandbox: Sandbox, user_home: Path) -> None:
    for code in ("pass", "import sys; print('hello'); sys.stdin.read()", "import sys; sys.stdin.readline()"):
        assert proof.count_tools({"command": sys.executable, "args": ["-c", code]}) is None
    assert proof.count_tools({"command": str(sandbox.folder / "nothing"), "args": []}) is None


def test_an_interpreter_that_cannot_load_us_is_found(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    path = sandbox.home / "runtime.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "path": []}))
    assert any("cannot load Limpet" in problem.what for problem in sandbox.ask("doctor", prove=True).problems)


def test_a_file_of_ours_in_the_repository_is_found_unless_it_was_asked_for(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup", host="gemini", project=True)
    found = sandbox.ask("doctor", prove=True)
    assert any("except what you asked for" in sentence for sentence in found.proved)
    (sandbox.home / "wiring.json").unlink()
    strays = [problem.where for problem in sandbox.ask("doctor", prove=True).problems]
    assert str(sandbox.project / ".gemini/settings.json") in strays


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="processes are not listed in files here")
def test_a_process_of_ours_and_its_port_are_found(tmp_path: Path) -> None:
    script = tmp_path / "limpet" / "cli" / "run_hook.py"
    script.parent.mkdir(parents=True)
    script.write_text(
        "import socket, sys\nheld = socket.create_server(('127.0.0.1', 0))\n"
        "print(held.getsockname()[1], flush=True)\nsys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin and process.stdout
    try:
        port = int(process.stdout.readline())
        found = {each.pid: each for each in proof.find_processes()}
        assert found[process.pid].parent == os.getpid()
        assert proof.find_ports(process.pid) == [port]
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(10)
    assert process.pid not in {each.pid for each in proof.find_processes()}


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("/usr/bin/python3 -P -m limpet mcp", True),
        ("/usr/bin/python3 -m limpet.cli.run_hook", True),
        ("/usr/bin/python3 /home/you/.local/bin/limpet serve", True),
        ("python3 -I -S /lib/limpet/cli/run_hook.py upkeep", True),
        ("/usr/bin/python3 -m pytest limpet", False),
        ("vim limpet/cli/run_hook.py", False),
        ("/usr/bin/python3 -m http.server", False),
        ("", False),
    ],
)
def test_our_processes_are_told_from_others(line: str, ours: bool) -> None:
    assert proof.is_limpet(tuple(line.split())) == ours
