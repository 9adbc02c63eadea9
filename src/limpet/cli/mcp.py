"""Declare the command `limpet mcp`, an MCP server for the client that starts it."""

from __future__ import annotations

import os

from limpet.operations.catalogue import Param, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(*, tools: str = "core", **opening: Any) -> int:
    parent = os.getppid()
    # The SDK takes a second to load, which `limpet mcp --help` need not spend.
    from limpet.mcp.server import serve

    serve(parent=parent, everything=tools == "all", **opening)
    return 0


VERB = Verb(
    run=run,
    to_json=lambda answer, now: {},
    params=(Param(name="tools", help="Which tools to offer.", kind="choice", choices=("core", "all"), default="core"),),
    details="A client starts it, and ends it by closing its standard input. It also ends when the client process does.",
    examples=("limpet mcp", "limpet mcp --tools all"),
)
