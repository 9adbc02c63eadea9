"""The server lives as long as its client, prints only the protocol, and answers even where it cannot remember."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp.talk import COMMAND, NOT_HANGING_S, environment, talking

# It prints the number of the server, then hands its output on: an answer there says that the server serves.
PARENT = """
import subprocess, sys
child = subprocess.Popen(sys.argv[1:])
print(child.pid, flush=True)
child.wait()
"""

HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"t","version":"0"}}}\n'
)


def has_ended(pid: int) -> bool:
    """Whether a process that is not our child ends in time."""
    try:
        watched = os.pidfd_open(pid)  # type: ignore[attr-defined,unused-ignore]
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], NOT_HANGING_S)[0])
    finally:
        os.close(watched)


def started(folder: Path) -> subprocess.Popen[bytes]:
    (folder / "shop").mkdir()
    return subprocess.Popen(
        COMMAND,
        cwd=folder / "shop",
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def greet(process: subprocess.Popen[bytes]) -> None:
    """Once it has answered it is surely serving."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(HELLO)
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells of the end of a process that is not ours")
def test_it_ends_when_its_parent_does_though_its_input_stays_open(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    reading, writing = os.pipe()
    try:
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, *COMMAND],
            stdin=reading,
            stdout=subprocess.PIPE,
            cwd=tmp_path / "shop",
            env=environment(tmp_path),
        )
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        os.write(writing, HELLO)
        assert json.loads(parent.stdout.readline())["id"] == 1
        parent.kill()
        parent.wait(NOT_HANGING_S)
        parent.stdout.close()
        assert has_ended(server)
    finally:
        os.close(reading)
        os.close(writing)


def test_it_ends_when_its_input_does(tmp_path: Path) -> None:
    process = started(tmp_path)
    greet(process)
    assert process.communicate(timeout=NOT_HANGING_S) == (b"", b"")
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=str)
def test_it_ends_when_told_to(tmp_path: Path, number: signal.Signals) -> None:
    process = started(tmp_path)
    greet(process)
    process.send_signal(number)
    assert process.wait(NOT_HANGING_S) == 0
    assert process.communicate() == (b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    process = started(tmp_path)
    greet(process)
    assert process.stdin is not None and process.stdout is not None
    params = {"name": "store_memory", "arguments": {"content": "The kelp forest backup runs at four"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n' + json.dumps(call).encode() + b"\n")
    process.stdin.flush()
    id = json.loads(process.stdout.readline())["result"]["structuredContent"]["id"]
    process.kill()
    process.communicate()
    with talking(tmp_path) as talk:
        assert [row["id"] for row in talk.ask("recall", query="kelp forest backup")["memories"]] == [id]


def test_a_home_that_is_not_there_is_made_by_the_first_memory(tmp_path: Path) -> None:
    with talking(tmp_path, env={"LIMPET_HOME": str(tmp_path / "not" / "yet")}) as talk:
        assert talk.ask("recall", query="anything")["memories"] == []
        assert talk.ask("ltm_status")["total"] == 0
        talk.store("Now there is something")
        assert talk.ask("ltm_status")["total"] == 1


def test_a_home_that_cannot_be_used_is_said_at_each_call(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with talking(tmp_path) as talk:
        assert len(talk.tools()) == 14
        assert "home" in talk.refused("store_memory", content="Where would this go?")
        (tmp_path / "home").unlink()
        talk.store("Now it has a place")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody can reach; pytest closes its own whenever it starts."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has other rights")
def test_a_home_that_cannot_be_written_is_read(open_folder: Path) -> None:
    with talking(open_folder) as talk:
        id = talk.store("The lighthouse keeper is called Ines")
    home = open_folder / "home"
    things = [home, *home.rglob("*")]
    is_root = os.geteuid() == 0
    for each in things:
        if is_root:
            os.chown(each, 65_534, 65_534)
        each.chmod(0o500 if each.is_dir() else 0o400)
    # Root may write everywhere, so it serves as somebody who may not.
    command = [sys.executable, "-m", "tests.mcp.unprivileged"] if is_root else COMMAND
    try:
        with talking(open_folder, command=command, env={"PYTHONPATH": os.pathsep.join(map(str, sys.path))}) as talk:
            assert [row["id"] for row in talk.ask("recall", query="lighthouse keeper")["memories"]] == [id]
            assert "written" in talk.refused("store_memory", content="This cannot be kept")
            assert talk.ask("ltm_status")["total"] == 1
    finally:
        for each in things:
            each.chmod(0o700)


def test_a_broken_settings_file_is_said_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    config = tmp_path / "home" / "config.toml"
    config.write_text("[recall\nlimit = 3\n")
    with talking(tmp_path) as talk:
        assert "config.toml, line 1" in talk.refused("recall", query="x")
        config.write_text("[recall]\nlimit = 3\n")
        assert talk.ask("recall", query="x")["memories"] == []


def test_a_damaged_index_is_made_again_under_the_servers_feet(tmp_path: Path) -> None:
    with talking(tmp_path) as talk:
        id = talk.store("The buoy lamp is changed in March")
    for path in (tmp_path / "home").rglob("index.db*"):
        path.write_bytes(b"not a database at all" * 500)
    with talking(tmp_path) as talk:
        assert [row["id"] for row in talk.ask("recall", query="buoy lamp")["memories"]] == [id]


def test_the_command_line_explains_it_without_loading_the_sdk(tmp_path: Path) -> None:
    code = "import sys; from limpet.cli.program import run; run(['mcp', '--help']); sys.exit('mcp' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(tmp_path), check=False
    )
    assert done.returncode == 0 and "--tools" in done.stdout
