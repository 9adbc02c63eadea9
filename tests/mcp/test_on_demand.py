"""The SDK is loaded by the first request for a tool, and its absence or failure harms no other request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from limpet.mcp.on_demand import ToolsOnDemand
from tests.http.served import serve

LIST = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_a_server_loads_the_sdk_when_a_tool_is_first_asked_for(tmp_path: Path) -> None:
    with serve(tmp_path) as served:
        maps = Path(f"/proc/{served.process.pid}/maps")
        served.remember("The ferry leaves at nine.")
        assert served.send("POST", "/hook/session_start", b"{}").status == 200
        assert "pydantic_core" not in maps.read_text()
        accept = {"Accept": "application/json, text/event-stream", "Limpet-Folder": str(served.project)}
        for _ in range(2):
            found = served.send("POST", "/mcp", LIST, accept)
            assert found.status == 200 and "store_memory" in found.text
        assert "pydantic_core" in maps.read_text()


class Script:
    """Tools that are counted as they are built, begin and end; the first building may fail."""

    def __init__(self, *, fails: int = 0) -> None:
        self.built = self.begun = self.ended = self.asked = 0
        self._fails = fails

    def build(self) -> tuple[Any, Any]:
        self.built += 1
        if self.built <= self._fails:
            raise RuntimeError("no SDK")

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            assert self.begun == 1 and not self.ended
            self.asked += 1

        @asynccontextmanager
        async def run() -> AsyncIterator[None]:
            self.begun += 1
            yield
            self.ended += 1

        return app, run


async def _nothing(*ignored: Any) -> Any:
    return {}


async def _ask(tools: ToolsOnDemand) -> None:
    await tools({"type": "http"}, _nothing, _nothing)


def test_requests_at_once_build_the_tools_once_and_they_end_with_the_server() -> None:
    script = Script()

    async def serve_some() -> None:
        tools = ToolsOnDemand(script.build)
        async with tools.run():
            await asyncio.gather(*(_ask(tools) for _ in range(5)))
            assert not script.ended

    asyncio.run(serve_some())
    assert (script.built, script.begun, script.ended, script.asked) == (1, 1, 1, 5)


def test_a_server_that_nobody_asks_builds_nothing() -> None:
    script = Script()

    async def serve_none() -> None:
        async with ToolsOnDemand(script.build).run():
            pass

    asyncio.run(serve_none())
    assert script.built == 0


def test_a_building_that_failed_is_tried_again() -> None:
    script = Script(fails=1)

    async def serve_some() -> None:
        tools = ToolsOnDemand(script.build)
        async with tools.run():
            with pytest.raises(RuntimeError, match="no SDK"):
                await _ask(tools)
            await _ask(tools)

    asyncio.run(serve_some())
    assert (script.built, script.asked) == (2, 1)
