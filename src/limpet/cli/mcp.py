"""Declare the command `limpet mcp`, an MCP server for the client that starts it."""

from __future__ import annotations

import os
import sys
from typing import Any

from limpet.errors import UsageError
from limpet.operations.catalogue import Param, Verb


def run(*, tools: str = "core", **opening: Any) -> int:
    parent = os.getppid()
    from limpet.mcp.server import serve

    if sys.stdin is None or sys.stdout is None:
        raise UsageError("limpet mcp talks to a client over standard input and output, and one of them is closed")
    serve(sys.stdin.buffer, sys.stdout.buffer, parent=parent, everything=tools == "all", **opening)
    return 0


VERB = Verb(
    run=run,
    params=(Param(name="tools", help="Which tools to offer.", kind="choice", choices=("core", "all"), default="core"),),
    details="A client starts it, and ends it by closing its standard input. It also ends when the client process does.",
    examples=("limpet mcp", "limpet mcp --tools all"),
)
