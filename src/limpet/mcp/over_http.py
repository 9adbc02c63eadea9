"""Serve the MCP tools over HTTP, in the stateless form of the protocol: each request names its project in a header.

The server keeps no MCP session between requests, so it can be restarted at any time, and there is nothing to clean up
when a client disconnects. `http/auth.py` has already authorised each request that arrives here.
"""

from __future__ import annotations

from typing import Any

from limpet.errors import UsageError
from limpet.mcp.on_demand import Tools
from limpet.mcp.sdk import (
    ServerRequestContext,
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
    TransportSecuritySettings,
)
from limpet.mcp.server import ToolRunner, build_server
from limpet.mcp.tools import CORE
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.serving import RequestPlace


def build_tools(shared: ExclusiveRuntime, *, folder: str, max_bytes: int) -> Tools:
    """Return the ASGI application for the tools, and a function that returns the context manager it must run in.

    `folder` is the project folder for requests without a header that names one. `max_bytes` limits the size of a
    request body.
    """

    def place_of(context: ServerRequestContext[Any, Any]) -> RequestPlace:
        headers = getattr(context.request, "headers", None) or {}
        try:
            return RequestPlace.of(headers, default=folder)
        except UsageError:
            # A malformed header must not end the connection. The root folder belongs to no project.
            return RequestPlace(folder="/")

    server = build_server(ToolRunner(CORE, shared=shared), place_of=place_of)
    manager = StreamableHTTPSessionManager(
        server,
        stateless=True,
        json_response=True,
        # `http/auth.py` has checked Host and Origin already. The SDK would also refuse requests over the socket file.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=max_bytes,
    )
    return StreamableHTTPASGIApp(manager), manager.run
