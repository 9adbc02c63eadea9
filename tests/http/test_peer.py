"""Who sends a prompt to the server: only the hook program may bring one that a person typed."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest

from tests.cli.hooks import Host, payload
from tests.http.served import Served, serve

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no socket files here")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux names the sender of a request")
RULE = "From now on deploy from the release branch only, because the others are not tested."


def known(host: Host) -> list[tuple[str, str]]:
    """Let the queue be learnt from, and return the text and the origin of each memory."""
    host.limpet("upkeep")
    found = json.loads(host.limpet("list", "--json"))["memories"]
    return [(each["content"], each["origin"]) for each in found if "release branch" in each["content"]]


@LINUX
def test_a_prompt_that_the_hook_program_hands_over_is_the_users(tmp_path: Path) -> None:
    host = Host(tmp_path)
    with serve(tmp_path) as served:
        host.fire("UserPromptSubmit", prompt=RULE)
        counted = served.ask("GET", "/metrics").text
    assert 'limpet_requests_total{path="/hook/{event}",status="200"} 1.0' in counted
    host.fire("SessionEnd")
    assert (RULE, "user") in known(host)


@pytest.mark.parametrize("way", ["the port", "the socket file"])
def test_a_prompt_sent_with_the_token_alone_is_not_the_users(tmp_path: Path, way: str) -> None:
    host = Host(tmp_path)
    body = json.dumps(payload("UserPromptSubmit", cwd=str(host.project), prompt=RULE)).encode()
    with serve(tmp_path) as served:
        if way == "the port":
            assert served.send("POST", "/hook/user_prompt_submit", body).status == 200
        else:
            assert b" 200 " in send_to_file(served, body)
    host.fire("SessionEnd")
    assert ("user" in [origin for _, origin in known(host)]) is False


@LINUX
def test_a_program_that_only_claims_to_be_the_hook_program_writes_no_prompt(tmp_path: Path) -> None:
    host = Host(tmp_path)
    body = json.dumps(payload("UserPromptSubmit", cwd=str(host.project), prompt=RULE)).encode()
    with serve(tmp_path) as served:
        assert b" 403 " in send_to_file(served, body + b"\n", "Limpet-Event: 0123456789abcdef")
    assert host.queued() == []


def send_to_file(served: Served, body: bytes, *headers: str) -> bytes:
    """Send a prompt to the socket file of a server, as any program that has read the token can."""
    head = [
        *("POST /hook/user_prompt_submit HTTP/1.1", "Host: localhost", "Connection: close"),
        *("Content-Type: application/json", f"Authorization: Bearer {served.token}", f"Content-Length: {len(body)}"),
        *headers,
    ]
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(30)
        client.connect(str(served.home / "http" / "socket"))
        client.sendall("\r\n".join((*head, "", "")).encode() + body)
        return client.recv(4096)
