"""Import the parts of the MCP SDK that Limpet uses, without loading the rest of it.

The packages `mcp` and `mcp.server` import the whole SDK: a client, OAuth, cryptography, and another kind of server.
That takes 11 MB in a process that is idle most of the time during every session. So both packages are registered in
`sys.modules` without running their `__init__.py`. That file runs only when code accesses an attribute of the package
that is not one of its modules.
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
    """Register a package in `sys.modules` without running its `__init__.py` until one of its attributes is accessed.

    Do nothing if the package is not installed or is already loaded.
    """
    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None:
        return
    loader, package = spec.loader, module_from_spec(spec)

    def load_and_get(attribute: str) -> Any:
        if attribute.startswith("__") or find_spec(f"{name}.{attribute}") is not None:
            # The import system looks for the attribute before it imports the module of that name.
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
