"""Serve the MCP tools over HTTP, in the stateless form of the protocol: each request names its project in a header.

The MCP SDK implements the protocol, and Limpet's synchronous core is called in worker threads. The server keeps no MCP
session between requests, so it can be restarted at any time, and there is nothing to clean up when a client
disconnects. `http/auth.py` has already authorised each request that arrives here.
"""

from __future__ import annotations

import json
import threading
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from limpet import __version__, clock
from limpet.errors import UsageError
from limpet.mcp.instructions import INSTRUCTIONS
from limpet.mcp.on_demand import Tools
from limpet.mcp.server import ToolRunner, do_idle_work
from limpet.mcp.tools import CORE, describe_tool
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.serving import RequestPlace

Context = ServerRequestContext[Any, Any]
_QUIET_MS = 100
"""How many milliseconds to wait before idle work begins, because another call often follows soon."""


def build_tools(shared: ExclusiveRuntime, *, folder: str, max_bytes: int) -> Tools:
    """Return the ASGI application for the tools, and a function that returns the context manager it must run in.

    `folder` is the project folder for requests without a header that names one. `max_bytes` limits the size of a
    request body.
    """
    manager = StreamableHTTPSessionManager(
        build_server(ToolRunner(CORE, shared=shared), folder=folder),
        stateless=True,
        json_response=True,
        # `http/auth.py` has checked Host and Origin already. The SDK would also refuse requests over the socket file.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=max_bytes,
    )
    return StreamableHTTPASGIApp(manager), manager.run


def build_server(runner: ToolRunner, *, folder: str | None = None) -> Server[Any]:
    """Build an MCP server of the SDK that lists and calls the tools of `runner`.

    `folder` is the project folder of a request over HTTP that names none; if it is None, that of the runner is used.
    """
    started = 0
    # Only one call at a time can use the store, so further threads would only wait and take memory.
    one_thread = anyio.CapacityLimiter(1)

    def rest_if_quiet(call: int) -> None:
        clock.pause(_QUIET_MS)
        if call == started:
            runner.rest(do_idle_work)

    async def on_list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        tools = [types.Tool.model_validate(describe_tool(tool)) for tool in runner.tools]
        return types.ListToolsResult(tools=tools)

    async def on_call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        nonlocal started
        started += 1
        call = started
        place = None if folder is None else _place_of(context, folder)
        try:
            text, failed = await anyio.to_thread.run_sync(
                runner.respond, params.name, params.arguments, place, limiter=one_thread
            )
        finally:
            if call == started:
                threading.Thread(target=rest_if_quiet, args=(call,), daemon=True).start()
        return types.CallToolResult(
            content=[types.TextContent(text=text)],
            structured_content={"error": text} if failed else json.loads(text),
            is_error=failed,
        )

    return Server(
        "limpet",
        version=__version__,
        title="Limpet",
        instructions=INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def _place_of(context: Context, folder: str) -> RequestPlace:
    headers = getattr(context.request, "headers", None) or {}
    try:
        return RequestPlace.of(headers, default=folder)
    except UsageError:
        # A malformed header must not end the connection. The root folder belongs to no project.
        return RequestPlace(folder="/")
