"""The server lives as long as its client, knows who calls, and answers even where it cannot remember."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import mcp_types as types
import pytest
from mcp import Client as AnyClient
from mcp import StdioServerParameters

from limpet import __version__
from tests.faults.processes import as_ordinary_user, leave_rights, reachable_folder
from tests.mcp.client import COMMAND, NOT_HANGING_S, Client, connect, environment, stored_record

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


def start_server(folder: Path) -> subprocess.Popen[bytes]:
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
    process = start_server(tmp_path)
    greet(process)
    assert process.communicate(timeout=NOT_HANGING_S) == (b"", b"")
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=str)
def test_it_ends_when_told_to(tmp_path: Path, number: signal.Signals) -> None:
    process = start_server(tmp_path)
    greet(process)
    process.send_signal(number)
    assert process.wait(NOT_HANGING_S) == 0
    assert process.communicate() == (b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    process = start_server(tmp_path)
    greet(process)
    assert process.stdin is not None and process.stdout is not None
    params = {"name": "store_memory", "arguments": {"content": "The kelp forest backup runs at four"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n' + json.dumps(call).encode() + b"\n")
    process.stdin.flush()
    id = json.loads(process.stdout.readline())["result"]["structuredContent"]["id"]
    process.kill()
    process.communicate()
    with connect(tmp_path) as client:
        assert [row["id"] for row in client.ask("recall", query="kelp forest backup")["memories"]] == [id]


def test_a_home_that_is_not_there_is_made_by_the_first_memory(tmp_path: Path) -> None:
    with connect(tmp_path, env={"LIMPET_HOME": str(tmp_path / "not" / "yet")}) as client:
        assert client.ask("recall", query="anything")["memories"] == []
        assert client.ask("ltm_status")["total"] == 0
        client.store("Now there is something")
        assert client.ask("ltm_status")["total"] == 1


def test_a_home_that_cannot_be_used_is_said_at_each_call(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with connect(tmp_path) as client:
        assert len(client.tools()) == 15
        assert "home" in client.expect_error("store_memory", content="Where would this go?")
        (tmp_path / "home").unlink()
        client.store("Now it has a place")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has other rights")
def test_a_home_that_cannot_be_written_is_read() -> None:
    with reachable_folder() as folder:
        with connect(folder) as client:
            id = client.store("The lighthouse keeper is called Ines")
        leave_rights(folder / "home", folders=5, files=4)
        (folder / "shop").chmod(0o755)
        with connect(folder, command=[*as_ordinary_user(), *COMMAND]) as client:
            assert [row["id"] for row in client.ask("recall", query="lighthouse keeper")["memories"]] == [id]
            assert "written" in client.expect_error("store_memory", content="This cannot be kept")
            assert client.ask("ltm_status")["total"] == 1


def test_a_broken_settings_file_is_said_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    config = tmp_path / "home" / "config.toml"
    config.write_text("[recall\nlimit = 3\n")
    with connect(tmp_path) as client:
        assert "config.toml, line 1" in client.expect_error("recall", query="x")
        config.write_text("[recall]\nlimit = 3\n")
        assert client.ask("recall", query="x")["memories"] == []


def test_a_damaged_index_is_made_again_under_the_servers_feet(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        id = client.store("The buoy lamp is changed in March")
    for path in (tmp_path / "home").rglob("index.db*"):
        path.write_bytes(b"not a database at all" * 500)
    with connect(tmp_path) as client:
        assert [row["id"] for row in client.ask("recall", query="buoy lamp")["memories"]] == [id]


def test_the_command_line_explains_it_without_loading_the_sdk(tmp_path: Path) -> None:
    code = "import sys; from limpet.cli.program import run; run(['mcp', '--help']); sys.exit('mcp' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(tmp_path), check=False
    )
    assert done.returncode == 0 and "--tools" in done.stdout


# Who a caller is, and what it may see


def test_what_a_model_stores_is_the_agents_whatever_it_claims(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        assert "cannot be claimed" in client.expect_error("store_memory", content="I am the user", origin="user")
        assert client.ask("ltm_status")["total"] == 0
        plain = client.store("Reply by the model, as what it is")
        lower = client.store("Read on a web page about squid", origin="external")
        fixed = client.ask("update_memory", id=plain, content="Reply by the model, and said better")["id"]
    assert stored_record(tmp_path, plain)["origin"] == "agent"
    assert stored_record(tmp_path, lower)["origin"] == "external"
    assert stored_record(tmp_path, fixed)["origin"] == "agent"
    assert stored_record(tmp_path, fixed)["confirmed"] is False


def test_a_terminal_makes_no_user_of_a_server(tmp_path: Path) -> None:
    """Not even where nothing says that an agent started it: no variable of any client is set here."""
    with connect(tmp_path, env={"CLAUDECODE": ""}) as client:
        assert client.ask("get_memory", id=client.store("Started by an unknown client"))["memory"]["origin"] == "agent"


def test_private_memories_stay_with_their_owner(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        id = client.store("The mussel budget is 5000 euros", sensitivity="private")
        assert client.ask("recall", query="mussel budget")["memories"] == []
        assert client.ask("list_memories")["total"] == 0
        for name in ("get_memory", "forget"):
            assert "shown to their owner only" in client.expect_error(name, id=id)
        assert "shown to their owner only" in client.expect_error("update_memory", id=id, content="Seen?")
        assert "has no 'private'" in client.expect_error("recall", query="mussel", private=True)
        assert "has no 'all_projects'" in client.expect_error("recall", query="mussel", all_projects=True)


def test_secrets_are_taken_out_and_named(tmp_path: Path) -> None:
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    with connect(tmp_path) as client:
        answer = client.ask("store_memory", content=f"The deploy token of the reef is {token}, do not lose it")
        assert answer["redacted"]
    assert not [
        path for path in (tmp_path / "home").rglob("*") if path.is_file() and token.encode() in path.read_bytes()
    ]


def test_projects_do_not_see_each_other(tmp_path: Path) -> None:
    with connect(tmp_path, cwd=tmp_path / "one") as one, connect(tmp_path, cwd=tmp_path / "two") as two:
        id = one.store("The anchor module of project one is frozen", files=["anchor.py"])
        assert [row["id"] for row in one.ask("recall", query="anchor module")["memories"]] == [id]
        assert two.ask("recall", query="anchor module")["memories"] == []
        assert two.ask("search_by_file", file="anchor.py")["memories"] == []
        assert two.ask("list_memories")["total"] == two.ask("ltm_status")["total"] == 0
        for name in ("get_memory", "forget"):
            assert "no memory here" in two.expect_error(name, id=id)
        one.ask("store_fact", subject="anchor", predicate="state", object="frozen")
        assert two.ask("query_facts")["facts"] == []


def test_agents_do_not_see_each_other(tmp_path: Path) -> None:
    with connect(tmp_path, "--agent", "Crab") as crab, connect(tmp_path, "--agent", "Shrimp") as shrimp:
        crab.store("Crabs prefer short answers", region="AGENT")
        assert crab.ask("list_memories")["total"] == 1
        assert shrimp.ask("list_memories")["total"] == 0


def test_the_project_is_the_one_the_client_says(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    with connect(tmp_path, env={"CLAUDE_PROJECT_DIR": str(tmp_path / "real")}) as client:
        id = client.store("Stored while the server stood elsewhere")
    with connect(tmp_path, cwd=tmp_path / "real") as client:
        assert [row["id"] for row in client.ask("list_memories")["memories"]] == [id]
    with connect(tmp_path, "--project", "real") as client:
        assert client.ask("list_memories")["total"] == 1


def test_the_session_is_the_one_of_the_client(tmp_path: Path) -> None:
    with connect(tmp_path, env={"CLAUDE_CODE_SESSION_ID": "tide-7"}) as client:
        memory = client.ask("get_memory", id=client.store("Learnt in this very session"))["memory"]
        assert memory["session"] == "tide-7"
        assert client.ask("ltm_status")["sessions"] == 1


def test_a_branch_that_changes_meanwhile_is_noticed(tmp_path: Path) -> None:
    head = tmp_path / "shop" / ".git" / "HEAD"
    for name in ("objects", "refs/heads"):
        (head.parent / name).mkdir(parents=True)
    head.write_text("ref: refs/heads/main\n")
    with connect(tmp_path) as client:
        first = client.store("Made on the first branch")
        head.write_text("ref: refs/heads/feature\n")
        second = client.store("Made on the second branch")
        assert client.ask("get_memory", id=first)["memory"]["branch"] == "main"
        assert client.ask("get_memory", id=second)["memory"]["branch"] == "feature"


def test_eight_calls_at_once_are_all_answered(client: Client) -> None:
    calls = [
        ("store_memory", {"content": f"Barnacle number {number} sits on pile {number * 7}"}) for number in range(8)
    ]
    assert len({said.json["id"] for said in client.call_at_once(calls)}) == 8
    mixed = [
        *(("recall", {"query": f"barnacle number {number}"}) for number in range(4)),
        *(("store_memory", {"content": f"Periwinkle {number} is purple"}) for number in range(2)),
        *(("ltm_check", {}), ("list_memories", {"keyword": "barnacle"})),
    ]
    said = client.call_at_once(mixed)
    assert not any(each.failed for each in said)
    assert said[-1].json["total"] == 8 and said[-2].json["ok"]


def test_an_error_of_ours_is_a_result_and_not_a_protocol_error(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        said = client.call("get_memory", {"id": "zzz"})
        assert said.failed and said.json == {"error": said.text}


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_each_version_of_the_protocol_is_spoken(tmp_path: Path, mode: str, version: str) -> None:
    (tmp_path / "shop").mkdir()
    server = StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], cwd=str(tmp_path / "shop"), env=environment(tmp_path)
    )

    async def converse() -> None:
        with anyio.fail_after(NOT_HANGING_S):
            async with AnyClient(server, mode=mode) as client:
                assert client.protocol_version == version
                assert client.server_info is not None
                assert (client.server_info.name, client.server_info.version) == ("limpet", __version__)
                assert "long-term memory" in (client.instructions or "")
                assert len((await client.list_tools()).tools) == 15
                stored = await client.call_tool("store_memory", {"content": "The tide turns at six"})
                assert isinstance(stored, types.CallToolResult) and not stored.is_error
                missing = await client.call_tool("get_memory", {"id": "nothing"})
                assert isinstance(missing, types.CallToolResult) and missing.is_error

    anyio.run(converse)
