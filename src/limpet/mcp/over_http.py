"""Serve the tools over HTTP, in the stateless form of the protocol: each request says which project it is about.

No session is kept between two requests, so nothing is lost when the server is started again, and a client that goes
away leaves nothing behind. Who may send a request is not decided here but by the server, before the request arrives.
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
    """Return the application of the tools, and what must run as long as it is used.

    `folder` is the project of a request that names none.
    """

    def place_of(context: ServerRequestContext[Any, Any]) -> RequestPlace:
        headers = getattr(context.request, "headers", None) or {}
        try:
            return RequestPlace.of(headers, default=folder)
        except UsageError:
            # A wrong header must not end the connection; a folder that does not exist has no project.
            return RequestPlace(folder="/")

    server = build_server(ToolRunner(CORE, shared=shared), place_of=place_of)
    manager = StreamableHTTPSessionManager(
        server,
        stateless=True,
        json_response=True,
        # The gate of the server has checked Host and Origin, and accepts the socket file too, which has no port.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=max_bytes,
    )
    return StreamableHTTPASGIApp(manager), manager.run
