"""Ask a model behind an HTTP endpoint, with the strictest form of structured output that the endpoint supports.

The forms are called rungs: a JSON schema, any JSON, or instructions in the prompt only. If an endpoint rejects a form,
or answers a request for JSON with something else, the next lower rung is used for a day. An overloaded, broken or slow
endpoint keeps its rung. The caller checks the content of each reply.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from limpet import clock, system
from limpet.errors import ModelFailed
from limpet.lean.digest import sha256
from limpet.llm.protocol import Reply, Request, Stop, never_stop
from limpet.llm.providers.transport import check_status, parse_answer, post
from limpet.llm.providers.wires import WIRES, Answer, Rung
from limpet.llm.reply import read_objects

LADDER_FILE = "llm-ladder.json"
"""The name of the file in Limpet's home. It is not in the folder `llm`, where command-line programs run."""
_REFUSALS = (400, 422)
_ERROR_BYTES = 2000
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class EndpointModel:
    """A language model behind an HTTP endpoint. `wire` is a key of `WIRES`."""

    def __init__(
        self,
        wire: str,
        *,
        url: str,
        model: str,
        key: str,
        timeout: float,
        home: str | None = None,
        stop: Stop = never_stop,
    ) -> None:
        if not model:
            raise ModelFailed(f"set llm.model to the name of a model that the {wire} endpoint has")
        self._wire = WIRES[wire]
        self.name = f"{wire}:{model}"
        self._model, self._key, self._timeout = model, key, timeout
        self._url = (url or self._wire.default_url).rstrip("/")
        self._ladder = Ladder(home)
        # After a change of the API format, address or model, the first rung is tried again.
        self._id = sha256(f"{wire} {self._url} {model}".encode("utf-8", "replace")).hexdigest()[:16]
        # Requests are cancelled to free a server for a session, which is possible only on this machine.
        self._stop = stop if _is_local(self._url) else never_stop

    def ask(self, request: Request) -> Reply:
        """Send a request and return the model's reply. Raise ModelFailed if the answer has no usable text."""
        if request.schema is None:
            return self._read(request, *self._post(request, Rung.PROMPT))
        every = self._wire.rungs
        first = self._ladder.find(self._id, every)
        rungs = every[every.index(first) :]
        for rung, lower in zip(rungs, (*rungs[1:], None), strict=True):
            status, body = self._post(request, rung)
            if lower is not None and self._refuses_form(status, body):
                continue
            reply = self._read(request, status, body)
            has_object = reply.is_cut or bool(read_objects(reply.text, lambda reason: None, most=1))
            stands_on = rung if has_object or lower is None else lower
            if stands_on is not first:
                self._ladder.move(self._id, stands_on)
            return reply
        raise ModelFailed("the endpoint has no form of request that Limpet knows")

    def _refuses_form(self, status: int, body: bytes) -> bool:
        """Tell whether an HTTP answer rejects the requested form of structured output."""
        if status not in _REFUSALS:
            return False
        said = body[:_ERROR_BYTES].decode("utf-8", "replace").casefold()
        return any(word in said for word in self._wire.refusals)

    def _post(self, request: Request, rung: Rung) -> tuple[int, bytes]:
        body = self._wire.write(self._model, request, rung)
        headers = self._wire.headers(self._key)
        return post(
            self._url + self._wire.path,
            body,
            headers=headers,
            timeout=self._timeout,
            stop=self._stop,
            tokens=request.tokens,
        )

    def _read(self, request: Request, status: int, body: bytes) -> Reply:
        check_status(status, tokens=request.tokens)
        try:
            answer = self._read_answer(parse_answer(body))
        except ModelFailed as failure:
            # Even an unusable answer was computed and has to be paid for.
            raise ModelFailed(str(failure), tokens=max(failure.tokens, request.tokens)) from None
        return Reply(
            text=answer.text,
            tokens_in=answer.tokens_in or 0,
            tokens_out=answer.tokens_out or 0,
            is_cut=answer.is_cut,
        )

    def _read_answer(self, answer: Any) -> Answer:
        try:
            found = self._wire.read(answer)
        except (KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise ModelFailed("the endpoint's answer has no text") from None
        if not isinstance(found.text, str):
            spent = (found.tokens_in or 0) + (found.tokens_out or 0)
            raise ModelFailed("the endpoint's answer has no text", tokens=spent)
        return found


def _is_local(url: str) -> bool:
    with suppress(ValueError):
        return (urlsplit(url).hostname or "") in _LOOPBACK
    return False


class Ladder:
    """The rung (form of structured output) that each endpoint needs.

    The rungs are stored in a file in Limpet's home, or in memory if `home` is None. Only a rung below the first is
    stored, and only for a day. After that, the first rung is tried again, because the endpoint may have been updated,
    or may have ignored a schema only once.
    """

    def __init__(self, home: str | None) -> None:
        self._path = os.path.join(home, LADDER_FILE) if home else None
        self._found: dict[str, Any] = {}

    def find(self, endpoint: str, rungs: tuple[Rung, ...]) -> Rung:
        """Return the rung to use for an endpoint: the first, or a lower one that was recorded within the last day."""
        kept = self._load().get(endpoint)
        since, lower = (kept.get("since"), kept.get("rung")) if isinstance(kept, dict) else (None, None)
        # A time in the future was recorded while the clock was wrong.
        is_recent = isinstance(since, int) and 0 <= clock.now_ms() - since < clock.DAY_MS
        return next((rung for rung in rungs if is_recent and rung == lower), rungs[0])

    def move(self, endpoint: str, rung: Rung) -> None:
        """Record that an endpoint needs this lower rung. The record is valid for a day."""
        self._found = {**self._load(), endpoint: {"rung": rung.value, "since": clock.now_ms()}}
        if self._path is not None:
            with suppress(OSError):
                system.private_directory(os.path.dirname(self._path))
                system.write_atomically(self._path, json.dumps(self._found).encode(), durable=False)

    def _load(self) -> dict[str, Any]:
        if self._path is None:
            return self._found
        with suppress(OSError, ValueError, RecursionError):
            with open(self._path, encoding="utf-8") as file:
                found = json.load(file)
            return found if isinstance(found, dict) else {}
        return {}
