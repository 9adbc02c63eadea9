"""Load what the servers use of the MCP SDK, and not the rest.

The packages `mcp` and `mcp.server` import everything that the SDK offers: a client, OAuth, cryptography, a second kind
of server. That takes 11 MB in a process that idles beside every session. So these two packages are registered without
running their code; it runs when somebody asks them for a name that is not one of their modules.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

__all__ = [
    "Server",
    "ServerRequestContext",
    "StreamableHTTPASGIApp",
    "StreamableHTTPSessionManager",
    "TransportSecuritySettings",
    "stdio_server",
]


def defer_package(name: str) -> None:
    """Register a package whose own code runs on first use, if it is installed and not loaded yet."""
    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None:
        return
    loader, package = spec.loader, module_from_spec(spec)

    def load_and_get(attribute: str) -> Any:
        if attribute.startswith("__") or find_spec(f"{name}.{attribute}") is not None:
            # The import system asks for a module by its name before it imports it.
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        if vars(package).pop("__getattr__", None) is not None:
            loader.exec_module(package)
        return getattr(package, attribute)

    vars(package)["__getattr__"] = load_and_get
    sys.modules[name] = package
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, package)


defer_package("mcp")
defer_package("mcp.server")

from mcp.server.context import ServerRequestContext  # noqa: E402
from mcp.server.lowlevel import Server  # noqa: E402
from mcp.server.stdio import stdio_server  # noqa: E402
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager  # noqa: E402
from mcp.server.transport_security import TransportSecuritySettings  # noqa: E402
