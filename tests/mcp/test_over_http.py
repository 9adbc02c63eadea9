"""The tools over HTTP: the SDK's own client, both forms of the protocol, and each request in its own project."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from tests.http.served import Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("served")) as one:
        yield one


@asynccontextmanager
async def session_with(served: Served, folder: Path) -> AsyncIterator[ClientSession]:
    headers = {"Authorization": f"Bearer {served.token}", "Limpet-Folder": str(folder), "Limpet-Session": "s-http"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as client:
        url = f"http://127.0.0.1:{served.port}/mcp"
        async with (
            streamable_http_client(url, http_client=client) as (reading, writing),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            yield session


def call(served: Served, folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    async def run() -> list[dict[str, Any]]:
        answers = []
        async with session_with(served, folder) as session:
            for name, arguments in calls:
                answer = await session.call_tool(name, arguments)
                assert isinstance(answer, types.CallToolResult)
                answers.append(answer.structured_content or {})
        return answers

    return anyio.run(run)


def post(served: Served, message: dict[str, Any], **headers: str) -> Any:
    accept = {"Accept": "application/json, text/event-stream", "Limpet-Folder": str(served.project)}
    found = served.send("POST", "/mcp", json.dumps(message).encode(), {**accept, **headers})
    assert found.status == 200, found.text
    return found.json


def test_the_client_of_the_sdk_stores_and_recalls(served: Served) -> None:
    stored, found = call(
        served,
        served.project,
        ("store_memory", {"content": "The nightly build runs on the machine called heron."}),
        ("recall", {"query": "where does the nightly build run"}),
    )
    assert found["memories"][0]["id"] == stored["id"]
    over_http = served.ask("GET", f"/memories/{stored['id']}")
    assert "heron" in over_http.text


def test_each_request_is_answered_for_the_project_it_names(served: Served, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    call(served, served.project, ("store_memory", {"content": "The otter project deploys on Fridays."}))
    question = ("recall", {"query": "when does otter deploy"})
    assert "Fridays" in call(served, served.project, question)[0]["memories"][0]["text"]
    assert call(served, other, question)[0]["memories"] == []


def test_no_session_is_needed_between_two_requests(served: Served) -> None:
    listed = post(served, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, **{"MCP-Protocol-Version": "2025-11-25"})
    assert "store_memory" in {tool["name"] for tool in listed["result"]["tools"]}


def test_the_current_form_of_the_protocol_is_answered(served: Served) -> None:
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": "server/discover"}
    found = post(served, message, **headers)
    assert version in found["result"]["supportedVersions"]


def test_a_model_cannot_erase_or_vouch_over_http_either(served: Served) -> None:
    listed = post(served, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, **{"MCP-Protocol-Version": "2025-11-25"})
    names = {tool["name"] for tool in listed["result"]["tools"]}
    assert names.isdisjoint({"purge", "confirm", "import", "adopt"})


def test_a_folder_that_cannot_be_read_has_no_project(served: Served) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ltm_status", "arguments": {}},
    }
    for folder in ("relative", "%00", "/no/such/folder"):
        found = post(served, message, **{"MCP-Protocol-Version": "2025-11-25", "Limpet-Folder": folder})
        assert "total" in found["result"]["structuredContent"]


def test_no_stream_stays_open_that_would_keep_the_server_from_ending(served: Served) -> None:
    for method in ("GET", "DELETE"):
        assert served.send(method, "/mcp", None, {"Accept": "text/event-stream"}).status == 405
