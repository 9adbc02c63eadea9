"""Declare the command `limpet serve`, an HTTP server for the programs on this machine."""

from __future__ import annotations

import os
import secrets
import sys
from functools import partial
from typing import Any

from limpet.environment import remove_client_variables
from limpet.errors import Refused, UsageError
from limpet.forms.terminal import is_terminal, print_notice
from limpet.http.routes import Server
from limpet.operations.catalogue import Param, Verb
from limpet.runtime.serving import ServerInfo

_LOOPBACK = ("127.0.0.1", "::1")
_LONGEST_IDLE = 525_600


def run(
    *,
    port: int | None = None,
    bind: str = _LOOPBACK[0],
    idle_minutes: float | None = None,
    home: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    session: str | None = None,
) -> int:
    from limpet.runtime import Caller
    from limpet.runtime.serving import has_token, token_path
    from limpet.settings import load
    from limpet.workspace import locate

    if project is not None or session is not None:
        raise UsageError("a server has no project and no session; each request names its own")
    if port is not None and not 0 <= port <= 65_535:
        raise UsageError(f"port is {port}; give a number from 0 to 65535")
    if idle_minutes is not None and not 0 <= idle_minutes <= _LONGEST_IDLE:
        raise UsageError(f"idle-minutes is {idle_minutes}; give a number from 0, which is never, to {_LONGEST_IDLE}")
    typed = is_terminal(sys.stdin) and is_terminal(sys.stderr)
    caller = Caller.at(has_terminal=typed, is_typing=typed)
    folder = locate(os.getcwd()).root
    settings = load(home=home)
    if bind not in _LOOPBACK and not has_token(settings.home):
        raise Refused(
            f"a server on {bind[:60]} could be reached from elsewhere, so it needs a token that you have chosen; "
            f"in a container, put one of 32 characters or more into {token_path(settings.home)} first"
        )
    remove_client_variables()
    # Only a terminal that no agent has started is shown the person's credential, and it is written to no file.
    person = secrets.token_urlsafe(24) if caller.proof else ""

    def announce(info: ServerInfo) -> None:
        print_notice(f"serving {settings.home} at {info.url}; the token is in {token_path(settings.home)}")
        if person:
            print_notice(f"for what only a person may do, until this server ends: Limpet-Person: {person}")

    # Loaded late: the web server takes a second, which `limpet serve --help` need not spend.
    from limpet.http.home_server import run_server

    run_server(
        settings,
        folder=folder,
        agent=agent,
        port=port,
        bind=bind,
        idle_minutes=idle_minutes,
        person=person,
        extra=partial(_make_tool_route, folder=folder, max_bytes=settings.http.max_bytes),
        on_start=announce,
    )
    return 0


def _make_tool_route(server: Server, *, folder: str, max_bytes: int) -> Any:
    """Return the HTTP route of the MCP tools, and the function that runs the tools while the server runs."""
    from starlette.routing import Route

    from limpet.mcp.on_demand import PATH, Tools, ToolsOnDemand

    def build() -> Tools:
        from limpet.mcp.over_http import build_tools

        return build_tools(server.shared, folder=folder, max_bytes=max_bytes)

    tools = ToolsOnDemand(build)
    # A GET would open a stream that stays empty, because the server never speaks first, and would keep it from ending.
    return [Route(PATH, tools, methods=["POST"])], [tools.run]


VERB = Verb(
    run=run,
    params=(
        Param(name="port", help="Port on 127.0.0.1; a free one is taken if it is in use.", kind="integer"),
        Param(name="bind", help="Another address to listen on, for a container only.", default=_LOOPBACK[0]),
        Param(name="idle_minutes", help="Stop after this many minutes without a request.", kind="number"),
    ),
    details="Serves hooks, commands and MCP over HTTP to programs of this machine that have the token. It is optional: "
    "without a server every hook and every command works alone. Ctrl-C stops it.",
    examples=("limpet serve", "limpet serve --port 0 --idle-minutes 60"),
)
