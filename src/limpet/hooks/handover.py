"""Hand a hook event over to a server, if one runs; otherwise the hook program does the work itself.

The server must answer the first bytes within 50 ms, and must then send something every 50 ms: while it works it sends
spaces, which JSON allows before a value. So a server that hangs or dies costs a hook 50 ms and never an answer; a
server that works for too long is given up as well. The body is sent only after the server has said that it is there
(`Expect: 100-continue`), so a server that was stopped and continues later does not find an event in its buffer that the
hook has meanwhile handled itself. The last byte of the body is sent once the answer has arrived: it tells the server
that the answer is used. If the hook has given up, the server never gets that byte, and writes no receipt.

This is loaded before everything else, at every event, so it uses only modules that the interpreter has loaded anyway,
and `_socket`; loading `os` alone would take as long as all the rest. If the path of the home is not absolute, the hook
program does the work, because it can interpret the path.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812
    from collections.abc import Callable, Sequence

PATIENCE_S = 0.05
LONGEST_INPUT_S = 3.0
"""How long to wait for a host that does not end its input."""
MOST_PARTS = 25
"""How often to wait for more of an answer: a server that is stuck can still send a sign of life every 20 ms."""
MOST_BYTES = 1 << 20
"""A longer event is handled by the hook itself: its transfer could take longer than the patience."""

_MOST_INPUT = 8 << 20


class Handover:
    """The result of trying to hand over an event.

    `data` is what was read from standard input. `answer` is None if the hook has to do the work itself. `id` names the
    event if the server may have received it.
    """

    __slots__ = ("answer", "data", "id")

    def __init__(self, data: bytes | None = None, answer: bytes | None = None, id: str = "") -> None:
        self.data = data
        self.answer = answer
        self.id = id


def hand_over_or_read(arguments: "Sequence[str]") -> Handover:
    """Send the event on standard input to the server, print its answer and end the process.

    If there is no server, or it does not answer, return what was read meanwhile, so that the hook does the work.
    """
    given = hand_over(arguments)
    if given.answer is not None:
        import posix

        if given.answer:
            posix.write(1, given.answer)
        posix._exit(0)
    return given


def hand_over(arguments: "Sequence[str]") -> Handover:
    """Send the event on standard input to the server of the home, if there is one, and return what it answered."""
    try:
        import posix
    except ImportError:
        # Windows has no socket files that Python can use.
        return Handover()
    home = _find_home(posix.environ)
    if not home or b"LIMPET_QUIET" in posix.environ:
        return Handover()
    try:
        posix.stat(home + b"/http/socket")
    except OSError:
        return Handover()
    import _signal  # type: ignore[import-not-found]

    # A host that does not end its input must not keep the hook forever; the hook program has a watchdog for that.
    _signal.signal(_signal.SIGALRM, lambda number, frame: posix._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, LONGEST_INPUT_S)
    try:
        data = _read(posix.read)
    except OSError:
        return Handover()
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    if not _may_hand_over(data, posix.environ):
        return Handover(data)
    host = arguments[arguments.index("--host") + 1] if "--host" in arguments[:-1] else "claude-code"
    name = "upkeep" if "upkeep" in arguments else "event"
    return _send(data, home, name=name, host=host, folder=posix.environ.get(b"CLAUDE_PROJECT_DIR", b""))


def _find_home(environ: "dict[bytes, bytes]") -> bytes:
    """Return the path of the home if it is given as an absolute path; otherwise empty bytes."""
    named = environ.get(b"LIMPET_HOME", b"")
    if named:
        return named.rstrip(b"/") if named.startswith(b"/") and named == named.strip() else b""
    own = environ.get(b"HOME", b"")
    return own.rstrip(b"/") + b"/.limpet" if own.startswith(b"/") else b""


def _read(read: "Callable[[int, int], bytes]") -> bytes:
    """Return standard input; if it is too long, a part that still exceeds the limit, so that it is refused."""
    parts, size = [], 0
    while part := read(0, 1 << 20):
        # The host must be able to finish writing, or it would report a broken pipe.
        if size <= _MOST_INPUT:
            parts.append(part)
            size += len(part)
    return b"".join(parts)


def _may_hand_over(body: bytes, environ: "dict[bytes, bytes]") -> bool:
    # The processes around the hook, which the server cannot see, show who typed a request to remember.
    if len(body) > MOST_BYTES or b"UserPromptExpansion" in body or b"remember" in body.lower():
        return False
    # The server has read its settings from its own variables.
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
        client.sendall(_head(len(body) + 1, home, name=name, host=host, folder=folder, id=id))
        if client.recv(4096).startswith(b"HTTP/1.1 100 "):
            sent = True
            client.sendall(body)
            answer = _read_answer(client)
            if answer is not None:
                _confirm(client)
                return Handover(body, answer)
    except (OSError, ValueError):
        # It has ended, hangs, or is not a server.
        pass
    return Handover(body, id=id if sent else "")


def _head(length: int, home: bytes, *, name: str, host: str, folder: bytes, id: str) -> bytes:
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
    """Return the answer, which ends with a newline; None if the server did not finish it or reports an error."""
    received = b""
    for _ in range(MOST_PARTS):
        part = client.recv(1 << 16)
        received += part
        if not part or not received.startswith(b"HTTP/1.1 200 "):
            return None
        chunks = received.partition(b"\r\n\r\n")[2]
        if chunks.endswith(b"\n\r\n"):
            answer = _join_chunks(chunks).strip()
            # Every whole answer is an object; `{}` stands for nothing.
            return None if not answer.startswith(b"{") else b"" if answer == b"{}" else answer
    return None


def _confirm(client: "Socket") -> None:
    """Tell the server that its answer is used, with the last byte of the body."""
    try:
        client.sendall(b"\n")
    except OSError:
        # The server has ended since. The answer is whole; the session may be told the same again.
        pass


def _join_chunks(data: bytes) -> bytes:
    """Return the chunks of a body as one text."""
    parts: list[bytes] = []
    while data:
        size, _, data = data.partition(b"\r\n")
        length = int(size, 16)
        parts.append(data[:length])
        data = data[length + 2 :]
    return b"".join(parts)
