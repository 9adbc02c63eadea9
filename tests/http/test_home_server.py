"""Starting and ending: one server for each home, on this machine only, with no trace left behind."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.errors import UsageError
from limpet.http.home_server import _listen
from limpet.runtime.serving import find_server
from limpet.wiring.proof import find_ports
from tests.http.served import environment, free_port, serve, start, wait_until_ready

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")


def listening_addresses(pid: int) -> set[str]:
    """Return the addresses that a process listens on, as the kernel writes them."""
    links = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    rows = [
        line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()
    ]
    return {row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[9] in inodes}


def test_it_listens_on_the_loopback_address_and_on_a_socket_of_the_owner(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with serve(tmp_path) as one:
            assert listening_addresses(one.process.pid) == {"0100007F"}
            assert find_ports(one.process.pid) == [one.port]
            modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in (one.home / "http").iterdir()}
            assert set(modes.values()) == {0o600}
            assert stat.S_IMODE((one.home / "http").stat().st_mode) == 0o700
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(one.info["socket"])
                client.sendall(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
                assert client.recv(4096).startswith(b"HTTP/1.1 200")
    finally:
        os.umask(before)


def test_it_says_where_it_listens_and_removes_that_when_it_ends(tmp_path: Path) -> None:
    shared = tmp_path / "project" / ".claude" / "ltm"
    shared.mkdir(parents=True)
    with serve(tmp_path) as one:
        assert set(one.info) >= {"container_id", "mcp_port", "hooks_port", "started_at"}
        assert json.loads((shared / "server.json").read_text()) == one.info
        found = find_server(str(one.home))
        assert found is not None
        assert found.port == one.port
    assert one.process.returncode == 0
    assert not (one.home / "server.json").exists()
    assert not (shared / "server.json").exists()
    assert not (one.home / "http" / "socket").exists()
    assert find_server(str(one.home)) is None


def test_a_link_where_the_shared_folder_should_be_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    (tmp_path / "project" / ".claude" / "ltm").symlink_to(tmp_path / "victim")
    with serve(tmp_path):
        assert list((tmp_path / "victim").iterdir()) == []


def test_the_doctor_says_whether_one_runs(tmp_path: Path) -> None:
    def diagnose() -> str:
        command = [sys.executable, "-m", "limpet", "doctor", "--json"]
        done = subprocess.run(command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False)
        return str(json.loads(done.stdout)["server"])

    with serve(tmp_path) as one:
        assert f"http://127.0.0.1:{one.port}, process {one.process.pid}" in diagnose()
    assert diagnose().startswith("none")


def test_a_second_server_of_a_home_is_refused_and_says_where_the_first_is(tmp_path: Path) -> None:
    with serve(tmp_path) as one:
        second = start(tmp_path)
        said, _ = second.communicate(timeout=60)
        assert second.returncode == 1
        assert f"http://127.0.0.1:{one.port}" in said.decode()
        assert one.ask("GET", "/stats").status == 200


def test_a_taken_port_is_replaced_by_a_free_one(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with serve(tmp_path, "--port", str(taken)) as one:
            assert one.port != taken
            assert one.ask("GET", "/stats").status == 200
    port = free_port()
    with serve(tmp_path, "--port", str(port)) as one:
        assert one.port == port


def test_a_server_that_was_killed_is_followed_by_a_new_one_with_the_same_token(tmp_path: Path) -> None:
    with serve(tmp_path) as one:
        one.process.send_signal(signal.SIGKILL)
        one.process.wait()
        assert (one.home / "server.json").exists()
        assert find_server(str(one.home)) is None
    with serve(tmp_path) as two:
        assert (two.token, two.ask("GET", "/stats").status) == (one.token, 200)


def test_an_idle_server_ends_and_leaves_nothing(tmp_path: Path) -> None:
    process = start(tmp_path, "--idle-minutes", "0.02")
    wait_until_ready(tmp_path, process)
    assert process.wait(timeout=60) == 0
    assert process.stdout is not None
    process.stdout.close()
    assert not (tmp_path / "home" / "server.json").exists()


def test_another_address_is_refused_without_a_token_of_ones_own(tmp_path: Path) -> None:
    process = start(tmp_path, "--bind", "0.0.0.0")
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, "http/token" in said.decode()) == (1, True)


def test_another_address_is_served_with_a_token_of_ones_own(tmp_path: Path) -> None:
    """As in a container; another loopback address stands for the container's own."""
    (tmp_path / "home" / "http").mkdir(parents=True)
    (tmp_path / "home" / "http" / "token").write_text("chosen-by-the-owner-" * 2)
    with serve(tmp_path, "--bind", "127.0.0.2") as one:
        assert listening_addresses(one.process.pid) == {"0200007F"}
        client = http.client.HTTPConnection("127.0.0.2", one.port, timeout=30)
        client.request("GET", "/stats", headers={"Host": "127.0.0.1", "Authorization": f"Bearer {one.token}"})
        assert (client.getresponse().status, one.token) == (200, "chosen-by-the-owner-" * 2)
        client.close()


def test_the_other_loopback_address_is_announced_as_it_is(tmp_path: Path) -> None:
    with serve(tmp_path, "--bind", "::1") as one:
        found = find_server(str(one.home))
        assert found is not None
        assert (one.info["hooks_host"], found.url) == ("::1", f"http://[::1]:{one.port}")
        client = http.client.HTTPConnection("::1", one.port, timeout=30)
        client.request("GET", "/stats", headers={"Authorization": f"Bearer {one.token}"})
        assert client.getresponse().status == 200
        client.close()


@pytest.mark.parametrize("address", ["999.1.1.1", "203.0.113.7", "a" * 100, "\u00fc" * 80])
def test_an_address_that_is_not_of_this_machine_is_one_sentence(address: str, tmp_path: Path) -> None:
    for port in (0, free_port()):
        with pytest.raises(UsageError, match="give an address of this machine"), _listen(address, port):
            pass


@pytest.mark.parametrize("minutes", ["nan", "-1", "inf"])
def test_a_silly_idle_time_is_refused(tmp_path: Path, minutes: str) -> None:
    process = start(tmp_path, "--idle-minutes", minutes)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, "idle-minutes is" in said.decode()) == (2, True)


@pytest.mark.parametrize("left", ["", "short\n", "\0\xff" * 40])
def test_a_token_that_could_be_guessed_is_replaced(tmp_path: Path, left: str) -> None:
    (tmp_path / "home" / "http").mkdir(parents=True)
    (tmp_path / "home" / "http" / "token").write_text(left, encoding="latin-1")
    with serve(tmp_path) as one:
        assert len(one.token) >= 32
        assert one.send("GET", "/stats", None, {"Authorization": f"Bearer {left.strip()}"}).status in (400, 401)


def test_a_server_inside_an_agent_shows_no_credential_of_a_person(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "limpet", "serve", "--port", "0", "--idle-minutes", "0.01"]
    inside = {**environment(tmp_path), "CLAUDECODE": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=inside, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "serving" in done.stderr
    assert "Limpet-Person" not in done.stderr
