"""Manage a server's files in the home: its token, socket and lock, and `server.json` with its address.

A server is running if and only if its lock is held. The kernel releases the lock when the process ends, even if it is
killed. A `server.json` that a killed server has left behind is ignored.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from limpet import system
from limpet.environment import SERVER_SOCKET, SERVER_TOKEN
from limpet.errors import StoreError, UsageError, from_os_error
from limpet.lean.record import record
from limpet.system import read_regular

INFO = "server.json"
FOLDER_HEADER, SESSION_HEADER = "limpet-folder", "limpet-session"
_LARGEST = 4096
_LEAST_TOKEN = 32


@record
class ServerInfo:
    """The address and the process id of a running server, as `server.json` contains them.

    The field names are those that existing client scripts expect.
    """

    pid: int
    port: int
    socket: str
    started_at: str
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def encode(self) -> dict[str, Any]:
        return {
            "container_id": f"limpet-{self.pid}",
            "mcp_port": self.port,
            "hooks_port": self.port,
            "hooks_host": self.host,
            "started_at": self.started_at,
            "pid": self.pid,
            "socket": self.socket,
        }


@record
class RequestPlace:
    """The project folder and the session that a request names in its headers."""

    folder: str
    session: str = ""

    @classmethod
    def of(cls, headers: Mapping[str, str], *, default: str) -> RequestPlace:
        """Return the folder and the session that the headers of a request name.

        If they name no folder, `default` is used. The folder is percent-encoded, because headers can contain only
        ASCII.
        """
        folder = unquote(headers.get(FOLDER_HEADER, ""), errors="surrogateescape").strip()
        if "\0" in folder or (folder and not os.path.isabs(folder)):
            raise UsageError(f"{FOLDER_HEADER} is {folder[:60]!r}; give an absolute path, percent-encoded")
        return cls(folder=folder or default, session=headers.get(SESSION_HEADER, "").strip())


def socket_path(home: str) -> str:
    return os.path.join(home, *SERVER_SOCKET)


def token_path(home: str) -> str:
    return os.path.join(home, *SERVER_TOKEN)


def lock_path(home: str) -> str:
    return os.path.join(home, "locks", "serve")


def has_token(home: str) -> bool:
    """Tell whether the home contains a server token that is too long to be guessed."""
    try:
        return bool(_read_token(token_path(home)))
    except OSError:
        return False


def load_token(home: str) -> str:
    """Return the token that every client must send to the server. If there is none, make one."""
    path = token_path(home)
    try:
        system.private_directory(home, os.path.dirname(path))
        found = _read_token(path)
        if not found:
            found = secrets.token_urlsafe(32)
            system.write_atomically(path, f"{found}\n".encode())
        return found
    except OSError as error:
        raise from_os_error(error, "read or write the token of the server") from error


def _read_token(path: str) -> str:
    if system.is_link(path):
        raise StoreError(f"{path} is a symlink; remove it, and the next `limpet serve` makes a new token")
    try:
        fd = system.open_private(path, os.O_RDONLY)
    except FileNotFoundError:
        return ""
    try:
        text = os.read(fd, _LARGEST).decode("ascii", "replace").strip()
    finally:
        os.close(fd)
    # A file that was emptied or edited must not become a password that can be guessed.
    return text if len(text) >= _LEAST_TOKEN and text.isprintable() else ""


def write_info(folder: str, info: ServerInfo) -> None:
    """Write `server.json` into a folder. The write is atomic, so that no reader sees an incomplete file."""
    system.write_atomically(os.path.join(folder, INFO), json.dumps(info.encode(), indent=2).encode() + b"\n")


def remove_info(folder: str, info: ServerInfo) -> None:
    """Remove the `server.json` of this server from a folder, but not that of another server."""
    found = _read_info(folder)
    if found is not None and found.pid == info.pid:
        os.unlink(os.path.join(folder, INFO))


def find_server(home: str) -> ServerInfo | None:
    """Return the address of a home's server, or None if no server is running."""
    return _read_info(home) if is_running(home) else None


def is_running(home: str) -> bool:
    """Tell whether a server of this home is running, that is, whether it holds its lock."""
    path = lock_path(home)
    if not os.path.exists(path):
        return False
    try:
        held = system.try_lock(path)
    except OSError:
        return False
    if held is None:
        return True
    system.unlock(held)
    return False


def _read_info(folder: str) -> ServerInfo | None:
    try:
        found = json.loads(read_regular(os.path.join(folder, INFO), _LARGEST))
        return ServerInfo(
            pid=int(found["pid"]),
            port=int(found["hooks_port"]),
            socket=str(found["socket"]),
            started_at=str(found["started_at"]),
            host=str(found["hooks_host"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
