"""Talks to a real server, in a process of its own, through the SDK's own client."""

from __future__ import annotations

import json
import os
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
"""A guard against waiting for somebody who does not answer; no measure of speed."""


class Said(NamedTuple):
    """What came back: the structured answer, or the sentence of an error."""

    json: dict[str, Any]
    text: str
    failed: bool

    @property
    def error(self) -> str:
        assert self.failed, self.text
        return self.text


class Talk:
    """A session with a server; every method waits for its answer."""

    def __init__(self, portal: BlockingPortal, session: ClientSession, hello: types.InitializeResult) -> None:
        self._portal, self._session, self.hello = portal, session, hello

    def say(self, name: str, arguments: dict[str, Any]) -> Said:
        said: Said = self._portal.call(self._say, name, arguments)
        return said

    def ask(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        said = self.say(name, arguments)
        assert not said.failed, said.text
        return said.json

    def refused(self, name: str, **arguments: Any) -> str:
        return self.say(name, arguments).error

    def at_once(self, calls: list[tuple[str, dict[str, Any]]]) -> list[Said]:
        return self._portal.call(self._at_once, calls)

    def tools(self) -> list[types.Tool]:
        return self._portal.call(self._session.list_tools).tools

    def store(self, content: str, **fields: Any) -> str:
        id: str = self.ask("store_memory", content=content, **fields)["id"]
        return id

    async def _say(self, name: str, arguments: dict[str, Any]) -> Said:
        with anyio.fail_after(NOT_HANGING_S):
            result = await self._session.call_tool(name, arguments)
        assert isinstance(result, types.CallToolResult)
        [block] = result.content
        assert isinstance(block, types.TextContent) and isinstance(result.structured_content, dict)
        return Said(result.structured_content, block.text, result.is_error)

    async def _at_once(self, calls: list[tuple[str, dict[str, Any]]]) -> list[Said]:
        answers: dict[int, Said] = {}

        async def one(number: int, name: str, arguments: dict[str, Any]) -> None:
            answers[number] = await self._say(name, arguments)

        async with anyio.create_task_group() as group:
            for number, (name, arguments) in enumerate(calls):
                group.start_soon(one, number, name, arguments)
        return [answers[number] for number in range(len(calls))]


def environment(folder: Path, **given: str) -> dict[str, str]:
    """Nothing of whoever runs the tests, who may sit inside an agent."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return {**kept, "HOME": str(folder / "nobody"), "LIMPET_HOME": str(folder / "home"), "TZ": "UTC", **given}


@contextmanager
def talking(
    folder: Path,
    *flags: str,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    command: Sequence[str] = COMMAND,
) -> Iterator[Talk]:
    """A server that stands in `folder`/shop and keeps its memories in `folder`/home."""
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
        yield Talk(portal, session, portal.call(session.initialize))
    assert complaints.read_text(encoding="utf-8") == ""


def tokens(value: Any) -> int:
    return count_tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
