"""The protocol is the SDK's business: clients of its oldest and its newest version get the same tools."""

from __future__ import annotations

from pathlib import Path

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from limpet import __version__
from tests.mcp.talk import COMMAND, NOT_HANGING_S, environment


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_each_version_of_the_protocol_is_spoken(tmp_path: Path, mode: str, version: str) -> None:
    (tmp_path / "shop").mkdir()
    server = StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], cwd=str(tmp_path / "shop"), env=environment(tmp_path)
    )

    async def talk() -> None:
        with anyio.fail_after(NOT_HANGING_S):
            async with Client(server, mode=mode) as client:
                assert client.protocol_version == version
                assert client.server_info is not None
                assert (client.server_info.name, client.server_info.version) == ("limpet", __version__)
                assert "long-term memory" in (client.instructions or "")
                assert len((await client.list_tools()).tools) == 14
                stored = await client.call_tool("store_memory", {"content": "The tide turns at six"})
                assert isinstance(stored, types.CallToolResult) and not stored.is_error
                missing = await client.call_tool("get_memory", {"id": "nothing"})
                assert isinstance(missing, types.CallToolResult) and missing.is_error

    anyio.run(talk)
