"""Answer an event that the hook program has handed over, and write the receipts only if the answer was used.

The hook program (`hooks/handover.py`) gives up if it receives nothing for 50 ms, and then makes the answer itself. In
that case the server must not have recorded that memories were given out, because the hook program would then leave them
out. So the hook program sends the last byte of its request body only after the answer has arrived, and closes the
connection if it gives up. The server writes the receipts when it receives that byte.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from limpet.http.hooks import HookAnswer, HookHandler

EVENT_HEADER = "limpet-event"
"""The header with the id of an event that the hook program has handed over."""
_SIGN_OF_LIFE_S = 0.02
_LONGEST_WAIT_S = 5.0
"""The maximum time in seconds to wait for the last byte of a request, if the connection stays open without it."""


async def read_but_last(receive: Receive, length: int) -> tuple[bytes, bool]:
    """Read a request body of `length` bytes without waiting for its last byte.

    Return what was read, and True if that is the whole body.
    """
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body, True
        if body and len(body) >= length - 1:
            return body, False


class Delivery(Response):
    """The HTTP response to a hook event whose sender confirms that the response has arrived.

    `take` handles the event in another thread; its argument is a function that tells whether the sender has closed the
    connection. `note` writes the receipts.
    """

    def __init__(
        self,
        handler: HookHandler,
        name: str,
        *,
        take: Callable[[Callable[[], bool]], Awaitable[HookAnswer]],
        note: Callable[[HookAnswer], Awaitable[None]],
    ) -> None:
        super().__init__(media_type="application/json")
        del self.headers["content-length"]
        self._handler = handler
        self._name = name
        self._take = take
        self._note = note

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = threading.Event()
        work = asyncio.ensure_future(self._take(gone.is_set))
        end = asyncio.ensure_future(_is_confirmed(receive, gone))
        try:
            await self._answer(work, end, send)
        finally:
            end.cancel()

    async def _answer(self, work: asyncio.Future[HookAnswer], end: asyncio.Future[bool], send: Send) -> None:
        is_started = False
        while not (await asyncio.wait({work}, timeout=_SIGN_OF_LIFE_S))[0]:
            await self._send(send, b" ", is_first=not is_started)
            is_started = True
        if is_started and (error := work.exception()) is not None:
            self._handler.log(self._name, 0, f"{type(error).__name__}: {error}")
            # The hook program does not accept this as an answer, and handles the event itself.
            await self._send(send, b"!\n", is_last=True)
            return
        taken = work.result()
        await self._send(send, f"{taken.text or '{}'}\n".encode(), is_first=not is_started)
        # Wait immediately after sending; otherwise the end of the connection could hide the last byte.
        finished, _ = await asyncio.wait({end}, timeout=_LONGEST_WAIT_S)
        if finished and end.result() and taken.receipts:
            await self._note(taken)
        await self._send(send, b"", is_last=True)

    async def _send(self, send: Send, body: bytes, *, is_first: bool = False, is_last: bool = False) -> None:
        if is_first:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": body, "more_body": not is_last})


async def _is_confirmed(receive: Receive, gone: threading.Event) -> bool:
    """Wait for the end of the request body and return True.

    If the connection is closed before that, set `gone` and return False.
    """
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            gone.set()
            return False
        if not message.get("more_body", False):
            return True
