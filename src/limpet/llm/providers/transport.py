"""Send one request over HTTP and return its answer, within one deadline and only as long as it is wanted.

The answer is read in a thread. When time is up, or nobody wants the answer any more, the connection is shut down, so
that a local server stops computing and serves the next request. A timeout of the client alone would not do: it starts
anew with every byte, so a server that sends one byte a second would hold the process for hours.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread

from limpet import clock
from limpet.errors import ModelFailed
from limpet.lean.record import mutable
from limpet.llm.protocol import Stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST_REPLY = 1_000_000
_POLL_S = 0.05
_LATER_S = 5.0
"""How much later than the caller the HTTP client gives up, so that a delay is never called a broken connection."""
_BUSY = {429: "limits how often it is asked", 503: "is overloaded", 529: "is overloaded"}
_REFUSED = {
    400: "does not understand the request; check llm.provider and llm.model",
    401: "refuses the key; check llm.key_variable",
    403: "refuses the key; check llm.key_variable",
    404: "has no such address or model; check llm.url and llm.model",
}


@mutable
class _Exchange:
    """One request: what came back, and the socket to close to cancel it."""

    status: int = 0
    body: bytes = b""
    failure: str = ""
    connection: socket.socket | None = None

    def cut(self) -> None:
        """Cancel the request now, whatever the thread is waiting for."""
        if self.connection is not None:
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)


def post(
    url: str, body: Mapping[str, Any], *, headers: Mapping[str, str], timeout: float, stop: Stop, tokens: int
) -> tuple[int, bytes]:
    """Return status and body of an answer; raise ModelFailed if none came in time.

    `tokens` are those of the request. The failure counts them all unless no connection was made, because nobody knows
    how far the endpoint has read.
    """
    exchange = _Exchange()
    thread = Thread(target=_exchange, args=(exchange, url, body, headers, timeout), daemon=True, name="limpet-model")
    thread.start()
    began = clock.now_ms()
    deadline = clock.monotonic_ms() + int(timeout * 1000)
    reason = ""
    while not reason:
        thread.join(_POLL_S)
        if not thread.is_alive():
            break
        if stop(began):
            reason = "the request was cancelled, because a session needs the endpoint"
        elif clock.monotonic_ms() >= deadline:
            reason = f"the endpoint did not answer within {timeout:g} s"
    if reason:
        exchange.cut()
        raise ModelFailed(reason, tokens=tokens)
    if exchange.failure:
        raise ModelFailed(exchange.failure, tokens=0 if exchange.connection is None else tokens)
    return exchange.status, exchange.body


def _exchange(
    exchange: _Exchange, url: str, body: Mapping[str, Any], headers: Mapping[str, str], timeout: float
) -> None:
    # Loaded here, because most processes ask no model and need no HTTP client.
    import httpx2

    def note_connection(event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            exchange.connection = info["return_value"].get_extra_info("socket")

    try:
        with (
            httpx2.Client(timeout=timeout + _LATER_S, follow_redirects=False, trust_env=True) as client,
            client.stream(
                "POST", url, headers=dict(headers), json=dict(body), extensions={"trace": note_connection}
            ) as response,
        ):
            parts, size = [], 0
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > _LONGEST_REPLY:
                    exchange.failure = "the endpoint's answer is too long"
                    return
            exchange.status, exchange.body = response.status_code, b"".join(parts)
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, RuntimeError, ValueError) as error:
        what = "could not be reached" if exchange.connection is None else "broke off"
        exchange.failure = f"the endpoint {what}: {type(error).__name__}"


def check_status(status: int, *, tokens: int) -> None:
    """Raise ModelFailed unless the status means success; `tokens` are those of the request.

    A server that fails may have computed an answer before, so its request counts. One that refuses has read nothing.
    The body is not quoted: it may repeat the request or the key, and the sentence is written to the log.
    """
    if status == 200:
        return
    if status in _BUSY:
        raise ModelFailed(f"the endpoint answered {status}: it {_BUSY[status]}; it is asked again later")
    spent = tokens if status >= 500 else 0
    raise ModelFailed(f"the endpoint answered {status}: it {_REFUSED.get(status, 'gave no answer')}", tokens=spent)


def parse_answer(body: bytes) -> Any:
    """Return the JSON of an answer; raise ModelFailed if it is not JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise ModelFailed("the endpoint's answer is not JSON") from None
