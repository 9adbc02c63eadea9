"""Send an HTTP request and return its answer, with a deadline for the whole exchange and a way to cancel it.

The answer is read in a thread. At the deadline, or when the request is cancelled, the connection is shut down, so that
a local server stops computing. The HTTP client's own timeout is not enough: it restarts with every byte, so a server
that sends one byte a second could block the process for hours.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread
from typing import Any

from limpet import clock
from limpet.errors import ModelFailed
from limpet.lean.record import mutable
from limpet.llm.protocol import Stop

_LONGEST_REPLY = 1_000_000
_POLL_S = 0.05
_LATER_S = 5.0
"""How many seconds longer the HTTP client's timeout is than the caller's.

Because of this, a slow answer is reported as late and not as a broken connection.
"""
_BUSY = {429: "limits how often it is asked", 503: "is overloaded", 529: "is overloaded"}
_REFUSED = {
    400: "does not understand the request; check llm.provider and llm.model",
    401: "refuses the key; check llm.key_variable",
    403: "refuses the key; check llm.key_variable",
    404: "has no such address or model; check llm.url and llm.model",
}


@mutable
class _Exchange:
    """The state of one HTTP request: its result, and the socket that is shut down to cancel it."""

    status: int = 0
    body: bytes = b""
    failure: str = ""
    connection: socket.socket | None = None

    def cancel(self) -> None:
        """Shut down the connection, so that the thread stops waiting for the answer."""
        if self.connection is not None:
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)


def post(
    url: str, body: Mapping[str, Any], *, headers: Mapping[str, str], timeout: float, stop: Stop, tokens: int
) -> tuple[int, bytes]:
    """Send a POST request. Return the status and the body of the answer.

    Raise ModelFailed if the request fails, is cancelled by `stop`, or takes longer than `timeout` seconds. The error
    counts `tokens`, the size of the request, as spent unless the endpoint could not be reached.
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
        exchange.cancel()
        raise ModelFailed(reason, tokens=tokens)
    if exchange.failure:
        raise ModelFailed(exchange.failure, tokens=0 if exchange.connection is None else tokens)
    return exchange.status, exchange.body


def _exchange(
    exchange: _Exchange, url: str, body: Mapping[str, Any], headers: Mapping[str, str], timeout: float
) -> None:
    # Imported here, because most processes ask no model and need no HTTP client.
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
    """Raise ModelFailed unless an HTTP status is 200.

    If the server failed, the error counts `tokens`, the size of the request, as spent, because the server may have
    computed an answer before it failed. The answer's body is not quoted, because the error is logged and the body may
    contain the API key.
    """
    if status == 200:
        return
    if status in _BUSY:
        raise ModelFailed(f"the endpoint answered {status}: it {_BUSY[status]}; it is asked again later")
    spent = tokens if status >= 500 else 0
    raise ModelFailed(f"the endpoint answered {status}: it {_REFUSED.get(status, 'gave no answer')}", tokens=spent)


def parse_answer(body: bytes) -> Any:
    """Return the body of an answer, parsed as JSON. Raise ModelFailed if it is not JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise ModelFailed("the endpoint's answer is not JSON") from None
