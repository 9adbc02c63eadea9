"""Check who sends a request, before its body is read.

A web page can send requests to a local port, from its own site or under a domain name that resolves to 127.0.0.1 (DNS
rebinding), and CORS does not prevent that. So a request is refused, in this order, for a Host that is not this machine,
for an Origin or Sec-Fetch-Site header that names another site, for a missing or wrong token, and for a body that is too
long or not JSON. The server never sends CORS headers.

There are two credentials. The token is in a file that only its owner can read. A model that runs commands as the owner
can read this file too, so a sender that has only the token counts as an agent. The credential of a person is shown on a
terminal and written to no file. Instead of it, the server accepts a one-time code that `limpet COMMAND --code new` has
shown and that is valid for that command only.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from limpet.http.refusal import Refusal
from limpet.lean.record import record

PERSON_HEADER = "limpet-person"
OPEN_PATH = "/health"
"""The only path that needs no token. Its answer reveals only that the server runs."""

_DISCARD_S = 2.0
"""The maximum time in seconds for which the rest of a refused request is read and discarded."""
_OURS = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?")
_BODY_S = 30.0
"""The time in seconds in which a body must arrive. A request that never ends would keep an idle server running."""
_SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@record
class Credentials:
    """The hashes of the server's token and of a person's credential.

    `person` is empty if no such credential was shown on a terminal.
    """

    token: bytes
    person: bytes = b""

    @classmethod
    def of(cls, token: str, person: str = "") -> Credentials:
        return cls(token=_hash(token), person=_hash(person) if person else b"")

    def is_token(self, text: str) -> bool:
        return hmac.compare_digest(_hash(text), self.token)

    def is_person(self, text: str) -> bool:
        return bool(self.person) and hmac.compare_digest(_hash(text), self.person)


@record
class Visitor:
    """The sender of a request: a person if `is_person`, otherwise an agent.

    `code` is the one-time code in the request, if any; it is not checked yet.
    """

    is_person: bool = False
    code: str = ""


class AuthMiddleware:
    """A middleware that identifies the sender of each request and refuses unauthorised requests."""

    def __init__(self, app: ASGIApp, *, credentials: Credentials, max_bytes: int) -> None:
        self._app = app
        self._credentials = credentials
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            # Web sockets are not supported; returning without an answer refuses the connection.
            return
        started = False

        async def send_secured(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update(_SECURITY_HEADERS)
            await send(message)

        limited = _LimitedBody(receive, self._max_bytes)
        try:
            scope["limpet.visitor"] = self._admit(scope)
            await self._app(scope, limited, send_secured)
        except Refusal as refusal:
            if not started:
                await send_refusal(scope, send_secured, refusal, limited)

    def _admit(self, scope: Scope) -> Visitor:
        headers = Headers(scope=scope)
        _check_address(headers)
        if scope["path"] == OPEN_PATH:
            return Visitor()
        visitor = self._identify(headers)
        if scope["method"] not in ("GET", "HEAD"):
            _check_body(headers, self._max_bytes)
        return visitor

    def _identify(self, headers: Headers) -> Visitor:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not self._credentials.is_token(token.strip()):
            raise Refusal(
                401,
                "a token is needed; send `Authorization: Bearer …` with what is in http/token in Limpet's home",
                headers={"WWW-Authenticate": "Bearer"},
            )
        given = headers.get(PERSON_HEADER, "").strip()
        if self._credentials.is_person(given):
            return Visitor(is_person=True)
        return Visitor(code=given[:64])


def _check_address(headers: Headers) -> None:
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _OURS.fullmatch(hosts[0].lower()):
        raise Refusal(421, "this server answers to 127.0.0.1, localhost and [::1] only; use one of them as the host")
    foreign = [origin for origin in headers.getlist("origin") if origin.lower() != f"http://{hosts[0].lower()}"]
    if foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Refusal(
            403,
            "a web page of another origin may not use this server; call it from a program, without an Origin header",
        )


def _check_body(headers: Headers, max_bytes: int) -> None:
    length = headers.get("content-length", "")
    if length in ("", "0") and "transfer-encoding" not in headers:
        return
    if length.isdigit() and int(length[:20]) > max_bytes:
        raise _refuse_length(max_bytes)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, "the body must be JSON; send `Content-Type: application/json`")


def _refuse_length(max_bytes: int) -> Refusal:
    return Refusal(413, f"the request is longer than {max_bytes} bytes; send less, or raise the setting http.max_bytes")


class _LimitedBody:
    """A wrapper around a request's ASGI `receive` that refuses a body if it arrives too slowly or is too long."""

    def __init__(self, receive: Receive, max_bytes: int) -> None:
        self._receive = receive
        self._left = max_bytes
        self._max_bytes = max_bytes
        self._deadline = anyio.current_time() + _BODY_S
        self._is_whole = False

    async def __call__(self) -> Message:
        # After the end of the body, `receive` waits for the client to disconnect, which needs no deadline.
        with anyio.CancelScope(deadline=math.inf if self._is_whole else self._deadline) as scope:
            message = await self._receive()
        if scope.cancelled_caught:
            raise Refusal(408, f"the body did not arrive within {_BODY_S:g} seconds; send the request again")
        self._is_whole = not message.get("more_body", False)
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise _refuse_length(self._max_bytes)
        return message

    async def discard_rest(self) -> None:
        """Read the rest of the body, up to a limit, and discard it.

        If a connection is closed while data is unread, the system resets it, and the sender may never see the reply.
        """
        left = self._max_bytes
        with anyio.move_on_after(_DISCARD_S):
            while not self._is_whole and left > 0:
                message = await self._receive()
                self._is_whole = not message.get("more_body", False)
                left -= len(message.get("body", b""))


async def send_refusal(scope: Scope, send: Send, refusal: Refusal, rest: _LimitedBody) -> None:
    """Send a refusal, and discard the rest of the request."""
    body = refusal.encode(scope["path"])
    headers = {"Content-Length": str(len(body)), "Content-Type": "application/json", **refusal.headers}
    # The rest of the body may be longer than what is read of it, so the connection cannot be used again.
    if refusal.status in (401, 408, 413, 415, 421):
        headers["Connection"] = "close"
    pairs = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body, "more_body": True})
    await rest.discard_rest()
    await send({"type": "http.response.body"})


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
