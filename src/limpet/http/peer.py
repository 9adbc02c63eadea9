"""Find out which process sends a request through the socket file.

The system names that process, so unlike everything in a request it cannot be claimed.
"""

from __future__ import annotations

import asyncio
import socket
import struct

from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

_SENDER = "socket file"
_CREDENTIALS = struct.Struct("3i")  # process, user, group


class PeerProtocol(H11Protocol):
    """The HTTP protocol of uvicorn, which also notes the process at the other end of a socket file."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        option = getattr(socket, "SO_PEERCRED", None)
        if option is not None and connection is not None and connection.family == socket.AF_UNIX:
            data = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
            self.client = (_SENDER, _CREDENTIALS.unpack(data)[0])


def find_sender(scope: Scope) -> int:
    """Return the id of the process that sent a request, or 0 if it is unknown, as for every request over TCP."""
    name, process = scope.get("client") or ("", 0)
    return int(process) if name == _SENDER else 0
