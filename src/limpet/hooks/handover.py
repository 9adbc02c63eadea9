"""Hand a hook event over to Limpet's server, if it is running.

If there is no server, or it does not answer in time, the hook program handles the event itself. The server must answer
within 50 ms and then send something at least every 50 ms: until it has finished, it sends spaces, which JSON allows
before a value. So a server that hangs delays a hook by only 50 ms. The total time that a server may take is limited,
too.

The body is sent only after the server has answered the headers (`Expect: 100-continue`). Otherwise a server that was
suspended could later handle an event that the hook program has already handled. The last byte of the body is sent only
after the answer has arrived, to tell the server that its answer is used. Without this byte, the server writes no
receipt.

This module is loaded first, at every event. So it uses only `_socket` and modules that the interpreter has loaded
already; loading `os` would take as long as all the rest. If the path of the home folder is relative, the hook program
handles the event, because it can resolve the path.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812
    from collections.abc import Callable, Sequence

PATIENCE_S = 0.05
"""How many seconds to wait for the next bytes from the server."""
LONGEST_INPUT_S = 3.0
"""How many seconds to wait for the host to end its input."""
MOST_PARTS = 25
"""The maximum number of parts in which an answer may arrive, because a server that hangs may still send spaces."""
MOST_BYTES = 1 << 20
"""The maximum size of an event that is handed over, in bytes. Sending more could take longer than `PATIENCE_S`."""

MOST_INPUT = 8 << 20
"""The number of bytes from which on the middle of an input is left out."""
END = 1 << 19
"""The number of bytes that are kept from the end of an input that is longer than `MOST_INPUT`."""


class Handover:
    """The result of trying to hand over an event to the server.

    `data` is the standard input, or None if it was not read. `answer` is the server's answer, or None if the hook
    program has to handle the event. `id` is the id of the event if the server may have received it, or else an empty
    string.
    """

    __slots__ = ("answer", "data", "id")

    def __init__(self, data: bytes | None = None, answer: bytes | None = None, id: str = "") -> None:
        self.data = data
        self.answer = answer
        self.id = id


def hand_over_or_read(arguments: "Sequence[str]") -> Handover:
    """Send the event on standard input to the server, print the server's answer and end the process.

    Return the input that was read if the hook program has to handle the event.
    """
    given = hand_over(arguments)
    if given.answer is not None:
        import posix

        try:
            if given.answer:
                posix.write(1, given.answer)
        except OSError:
            # The host no longer reads, or its disk is full: it must not see a failure because of that.
            pass
        posix._exit(0)
    return given


def hand_over(arguments: "Sequence[str]") -> Handover:
    """Send the event on standard input to the server, if it is running, and return the result."""
    try:
        import posix
    except ImportError:
        # Windows has no socket files that Python can use.
        return Handover()
    home = _find_home(posix.environ)
    if not home or b"LIMPET_QUIET" in posix.environ or "statusline" in arguments:
        return Handover()
    try:
        posix.stat(home + b"/http/socket")
    except OSError:
        return Handover()
    import _signal  # type: ignore[import-not-found]

    # End the process if the host does not end its input. The watchdog of the hook program has not been started yet.
    _signal.signal(_signal.SIGALRM, lambda number, frame: posix._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, LONGEST_INPUT_S)
    try:
        data = read_input(posix.read)
    except OSError:
        return Handover()
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    if not _may_hand_over(data, posix.environ):
        return Handover(data)
    host = arguments[arguments.index("--host") + 1] if "--host" in arguments[:-1] else "claude-code"
    name = "upkeep" if "upkeep" in arguments else "event"
    return _send(data, home, name=name, host=host, folder=posix.environ.get(b"CLAUDE_PROJECT_DIR", b""))


def _find_home(environ: "dict[bytes, bytes]") -> bytes:
    """Return the path of Limpet's home folder, or empty bytes if the environment gives no absolute path."""
    named = environ.get(b"LIMPET_HOME", b"")
    if named:
        return named.rstrip(b"/") if named.startswith(b"/") and named == named.strip() else b""
    own = environ.get(b"HOME", b"")
    return own.rstrip(b"/") + b"/.limpet" if own.startswith(b"/") else b""


def read_input(read: "Callable[[int, int], bytes]") -> bytes:
    """Return standard input. If it is longer than `MOST_INPUT`, leave out its middle.

    The result is then still longer than `MOST_INPUT`, so that the caller notices that the input was too long.
    """
    parts: list[bytes] = []
    ends: list[bytes] = []
    size = kept = 0
    # The host must be able to finish writing, or it would report a broken pipe.
    while part := read(0, 1 << 20):
        if size <= MOST_INPUT:
            parts.append(part)
            size += len(part)
        else:
            ends.append(part)
            kept += len(part)
            while kept - len(ends[0]) >= END:
                kept -= len(ends.pop(0))
    return b"".join(parts) + b"".join(ends)


def _may_hand_over(body: bytes, environ: "dict[bytes, bytes]") -> bool:
    # Who typed a request to remember is found out from the parent processes of the hook, which the server cannot see.
    if len(body) > MOST_BYTES or b"UserPromptExpansion" in body or b"remember" in body.lower():
        return False
    # These variables may change settings, but the server only knows its own variables.
    return b"CLAUDE_CODE_DISABLE_AUTO_MEMORY" not in environ and not any(
        each.startswith(b"LIMPET_") and each != b"LIMPET_HOME" for each in environ
    )


def _send(body: bytes, home: bytes, *, name: str, host: str, folder: bytes) -> Handover:
    import _socket
    import posix

    id = posix.urandom(8).hex()
    sent = False
    try:
        client = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        client.settimeout(PATIENCE_S)
        client.connect(home + b"/http/socket")
        client.sendall(_format_head(len(body) + 1, home, name=name, host=host, folder=folder, id=id))
        if client.recv(4096).startswith(b"HTTP/1.1 100 "):
            sent = True
            client.sendall(body)
            answer = _read_answer(client)
            if answer is not None:
                _confirm_answer(client)
                return Handover(body, answer)
    except (OSError, ValueError):
        # There is no server, or it has ended or hangs.
        pass
    return Handover(body, id=id if sent else "")


def _format_head(length: int, home: bytes, *, name: str, host: str, folder: bytes, id: str) -> bytes:
    import posix

    fd = posix.open(home + b"/http/token", posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    try:
        token = posix.read(fd, 256).strip()
    finally:
        posix.close(fd)
    place = "".join(chr(byte) if 32 < byte < 127 and byte != 37 else f"%{byte:02X}" for byte in folder)
    return (
        (
            f"POST /hook/{name} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {length}\r\nExpect: 100-continue\r\nConnection: close\r\n"
            f"Limpet-Host: {host}\r\nLimpet-Event: {id}\r\nLimpet-Folder: {place}\r\nAuthorization: Bearer "
        ).encode("ascii", "replace")
        + token
        + b"\r\n\r\n"
    )


def _read_answer(client: "Socket") -> bytes | None:
    """Read the server's answer; return None if it is incomplete or an error, and b"" if there is nothing to show."""
    received = b""
    for _ in range(MOST_PARTS):
        part = client.recv(1 << 16)
        received += part
        if not part or not received.startswith(b"HTTP/1.1 200 "):
            return None
        chunks = received.partition(b"\r\n\r\n")[2]
        if chunks.endswith(b"\n\r\n"):
            answer = _join_chunks(chunks).strip()
            # A complete answer is a JSON object, and `{}` means that there is nothing to show.
            return None if not answer.startswith(b"{") else b"" if answer == b"{}" else answer
    return None


def _confirm_answer(client: "Socket") -> None:
    """Send the last byte of the body, which tells the server that its answer is used."""
    try:
        client.sendall(b"\n")
    except OSError:
        # The server has ended. Its answer is complete, but without a receipt the same may be shown again.
        pass


def _join_chunks(data: bytes) -> bytes:
    """Join the chunks of a body in HTTP chunked encoding."""
    parts: list[bytes] = []
    while data:
        size, _, data = data.partition(b"\r\n")
        length = int(size, 16)
        parts.append(data[:length])
        data = data[length + 2 :]
    return b"".join(parts)
