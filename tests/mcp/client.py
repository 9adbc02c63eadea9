"""Talk to a real server, in another process, through the SDK's client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from limpet.text.tokens import count_tokens

COMMAND = [sys.executable, "-m", "limpet", "mcp"]
NOT_HANGING_S = 60
"""A timeout for a server that does not answer; not a measure of speed."""


class Reply(NamedTuple):
    """What came back: the structured answer, or the sentence of an error."""

    json: dict[str, Any]
    text: str
    failed: bool

    @property
    def error(self) -> str:
        assert self.failed, self.text
        return self.text


class Client:
    """A session with a server; every method waits for its answer."""

    def __init__(self, portal: BlockingPortal, session: ClientSession) -> None:
        self._portal, self._session = portal, session

    def call(self, name: str, arguments: dict[str, Any]) -> Reply:
        reply: Reply = self._portal.call(self._call, name, arguments)
        return reply

    def ask(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Return the answer of a call that must succeed."""
        reply = self.call(name, arguments)
        assert not reply.failed, reply.text
        return reply.json

    def expect_error(self, name: str, **arguments: Any) -> str:
        return self.call(name, arguments).error

    def call_at_once(self, calls: list[tuple[str, dict[str, Any]]]) -> list[Reply]:
        return self._portal.call(self._call_at_once, calls)

    def tools(self) -> list[types.Tool]:
        return self._portal.call(self._session.list_tools).tools

    def store(self, content: str, **fields: Any) -> str:
        id: str = self.ask("store_memory", content=content, **fields)["id"]
        return id

    async def _call(self, name: str, arguments: dict[str, Any]) -> Reply:
        with anyio.fail_after(NOT_HANGING_S):
            result = await self._session.call_tool(name, arguments)
        assert isinstance(result, types.CallToolResult)
        [block] = result.content
        assert isinstance(block, types.TextContent) and isinstance(result.structured_content, dict)
        return Reply(result.structured_content, block.text, result.is_error)

    async def _call_at_once(self, calls: list[tuple[str, dict[str, Any]]]) -> list[Reply]:
        answers: dict[int, Reply] = {}

        async def one(number: int, name: str, arguments: dict[str, Any]) -> None:
            answers[number] = await self._call(name, arguments)

        async with anyio.create_task_group() as group:
            for number, (name, arguments) in enumerate(calls):
                group.start_soon(one, number, name, arguments)
        return [answers[number] for number in range(len(calls))]


def environment(folder: Path, **given: str) -> dict[str, str]:
    """Return an environment without the variables of the tester, who may run the tests inside an agent."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(folder / "nobody"), "LIMPET_HOME": str(folder / "home"), "TZ": "UTC", **given}


@contextmanager
def connect(
    folder: Path,
    *flags: str,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    command: Sequence[str] = COMMAND,
) -> Iterator[Client]:
    """Yield a client of a new server, which runs in `folder`/shop and keeps its memories in `folder`/home."""
    place = cwd or folder / "shop"
    place.mkdir(exist_ok=True, parents=True)
    complaints = folder / "complaints"
    server = StdioServerParameters(
        command=command[0], args=[*command[1:], *flags], cwd=str(place), env=environment(folder, **(env or {}))
    )
    with (
        open(complaints, "w", encoding="utf-8") as errors,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(stdio_client(server, errlog=errors)) as (reading, writing),
        portal.wrap_async_context_manager(ClientSession(reading, writing)) as session,
    ):
        portal.call(session.initialize)
        yield Client(portal, session)
    assert complaints.read_text(encoding="utf-8") == ""


def stored_record(folder: Path, id: str) -> dict[str, object]:
    """Return a memory as its owner sees it on the command line."""
    command = [sys.executable, "-m", "limpet", "show", id, "--json"]
    done = subprocess.run(command, capture_output=True, cwd=folder / "shop", env=environment(folder), check=True)
    memory: dict[str, object] = json.loads(done.stdout)["memory"]
    return memory


def json_tokens(value: Any) -> int:
    """Return how many tokens a model pays for a value as JSON."""
    return count_tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
