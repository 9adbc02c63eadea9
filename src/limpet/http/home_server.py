"""Run the server for a home, on a TCP port and a socket file, until it is stopped or idle for too long."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence

import uvicorn
from starlette.routing import BaseRoute

from limpet import clock, system
from limpet.errors import Refused, UsageError, describe_error, from_os_error
from limpet.http.auth import Credentials
from limpet.http.peer import PeerProtocol
from limpet.http.routes import Lifespan, Server, build_app
from limpet.model.codec import format_time
from limpet.runtime.serving import (
    ServerInfo,
    find_server,
    load_token,
    lock_path,
    remove_info,
    socket_path,
    write_info,
)
from limpet.settings import Settings

LOOPBACK = "127.0.0.1"
_EVERY_ADDRESS = ("0.0.0.0", "::")
_GRACE_S = 5
_BACKLOG = 256
_LONGEST_SOCKET_PATH = 100
_EVERY_S = 1.0


def run_server(
    settings: Settings,
    *,
    folder: str,
    agent: str | None = None,
    port: int | None = None,
    bind: str = LOOPBACK,
    idle_minutes: float | None = None,
    person: str = "",
    extra: Callable[[Server], tuple[Sequence[BaseRoute], Sequence[Lifespan]]] = lambda server: ((), ()),
    on_start: Callable[[ServerInfo], None] = lambda info: None,
) -> None:
    """Run the server until a signal or the idle limit stops it; raise Refused if this home already has a server.

    `person` is a person's credential, which was shown on a terminal. `bind` is the address to listen on. Use an address
    that other machines can reach only in a container whose port is published to this machine alone.
    """
    home = settings.home
    with system.lock(lock_path(home), doing="start the server") as is_held:
        if not is_held:
            found = find_server(home)
            raise Refused(f"a server is already running for {home}{f', at {found.url}' if found else ''}")
        token = load_token(home)
        server = Server(settings, folder=folder, agent=agent)
        routes, lifespans = extra(server)
        app = build_app(server, Credentials.of(token, person), extra=routes, lifespans=lifespans)
        with contextlib.ExitStack() as stack:
            stack.callback(server.close)
            tcp = stack.enter_context(_listen(bind, settings.http.port if port is None else port))
            sockets = [tcp, *stack.enter_context(_listen_on_file(socket_path(home)))]
            address, number = tcp.getsockname()[:2]
            info = ServerInfo(
                pid=os.getpid(),
                host=LOOPBACK if address in _EVERY_ADDRESS else address,
                port=number,
                socket=socket_path(home) if len(sockets) > 1 else "",
                started_at=format_time(clock.now()),
            )
            config = uvicorn.Config(
                app,
                http=PeerProtocol,
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                ws="none",
                timeout_graceful_shutdown=_GRACE_S,
            )
            minutes = settings.http.idle_minutes if idle_minutes is None else idle_minutes
            _Run(uvicorn.Server(config), server, info, minutes, on_start).until_stopped(sockets)


class _Run:
    """One run of the server: writes the `server.json` files, stops the server when idle, and removes the files."""

    def __init__(
        self,
        uvicorn_server: uvicorn.Server,
        server: Server,
        info: ServerInfo,
        idle_minutes: float,
        on_start: Callable[[ServerInfo], None],
    ) -> None:
        self._uvicorn = uvicorn_server
        self._server = server
        self._info = info
        self._idle_ms = idle_minutes * 60_000
        self._on_start = on_start
        self._ended = threading.Event()

    def until_stopped(self, sockets: list[socket.socket]) -> None:
        # uvicorn raises a signal again after it has stopped; the server then ends like any other program, with 0.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *ignored: None)
        watch = threading.Thread(target=self._watch, name="idle", daemon=True)
        watch.start()
        try:
            self._uvicorn.run(sockets=sockets)
        finally:
            self._ended.set()
            watch.join()

    def _watch(self) -> None:
        while not self._uvicorn.started:
            if self._ended.wait(0.01):
                return
        # The home comes last: if its file exists, all the others exist too.
        folders = [*_shared_folders(self._server.folder), self._server.settings.home]
        written = [folder for folder in folders if _try_write(folder, self._info)]
        self._on_start(self._info)
        try:
            while not self._ended.wait(_EVERY_S):
                idle = clock.monotonic_ms() - self._server.last_request_ms
                if self._server.in_progress:
                    continue
                self._server.rest()
                if self._idle_ms and idle > self._idle_ms:
                    self._uvicorn.should_exit = True
        finally:
            for folder in written:
                with contextlib.suppress(OSError):
                    remove_info(folder, self._info)


def _try_write(folder: str, info: ServerInfo) -> bool:
    try:
        write_info(folder, info)
    except OSError:
        # Without the file, clients cannot find the server, but those that know its address can still use it.
        return False
    return True


def _shared_folders(folder: str) -> list[str]:
    """Return a list with the folder `.claude/ltm` of a project, or an empty list if the project has none.

    Existing scripts look for `server.json` in that folder.
    """
    parts = (os.path.join(folder, ".claude"), os.path.join(folder, ".claude", "ltm"))
    return [parts[-1]] if all(os.path.isdir(part) and not system.is_link(part) for part in parts) else []


@contextlib.contextmanager
def _listen(address: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket that listens on the given port, or on a free port if the given one cannot be used."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if not system.WINDOWS:
            # On Windows this option would let another program take the same port.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if not port or not _try_bind(listening, address, port):
            _try_bind(listening, address, 0)
        listening.listen(_BACKLOG)
        yield listening
    finally:
        listening.close()


def _try_bind(listening: socket.socket, address: str, port: int) -> bool:
    """Bind a socket to a port; return False if the port cannot be used.

    Port 0 means any free port. If binding to it fails, raise UsageError, because the address itself cannot be used.
    """
    try:
        listening.bind((address, port))
    except (OSError, UnicodeError, TypeError) as error:
        if port:
            return False
        raise UsageError(
            f"cannot listen on {address[:60]!r} ({describe_error(error)}); give an address of this machine"
        ) from error
    return True


@contextlib.contextmanager
def _listen_on_file(path: str) -> Iterator[list[socket.socket]]:
    """Yield a list with a socket that listens on a socket file, which only its owner can use.

    The list is empty if the system has no socket files or the path is too long.
    """
    if not hasattr(socket, "AF_UNIX") or len(os.fsencode(path)) > _LONGEST_SOCKET_PATH:
        yield []
        return
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # This process holds the lock of the server, so an existing file was left by a server that was killed.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        listening.bind(path)
        os.chmod(path, 0o600)
        listening.listen(_BACKLOG)
        yield [listening]
    except OSError as error:
        raise from_os_error(error, "make the socket of the server") from error
    finally:
        listening.close()
        with contextlib.suppress(OSError):
            os.unlink(path)
