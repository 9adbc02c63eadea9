"""Serve the same tools over standard input and output with the MCP SDK, as `python -m tests.mcp.reference`.

Its answers are what those of `limpet mcp` are compared with.
"""

from __future__ import annotations

import sys

import anyio
from mcp.server.stdio import stdio_server

from limpet.mcp.over_http import build_server
from limpet.mcp.server import ToolRunner
from limpet.mcp.tools import TOOLS


async def serve() -> None:
    server = build_server(ToolRunner(TOOLS))
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve)
    sys.exit(0)
