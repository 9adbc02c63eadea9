"""`limpet mcp`: serves the tools to the client that started it; no verb, as it has no answer."""

from __future__ import annotations

import os

from limpet.operations.catalogue import Param, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(*, tools: str = "core", **opening: Any) -> int:
    parent = os.getppid()
    # The SDK takes a second of processor time, which `limpet mcp --help` need not spend.
    from limpet.mcp.server import serve

    serve(parent=parent, everything=tools == "all", **opening)
    return 0


VERB = Verb(
    run=run,
    to_json=lambda answer, now: {},
    params=(
        Param(name="tools", help="The core ones, or all.", kind="choice", choices=("core", "all"), default="core"),
    ),
    details="A client starts it and ends it by closing its standard input; it also ends when the client does.",
    examples=("limpet mcp", "limpet mcp --tools all"),
)
