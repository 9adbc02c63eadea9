"""Ask a model behind an HTTP endpoint, with the strictest form of structured output that the endpoint supports.

The forms are called rungs: a JSON schema, any JSON, or instructions in the prompt only. If an endpoint rejects a form,
or answers a request for JSON with something else, the next lower rung is used for a day. An overloaded, broken or slow
endpoint keeps its rung. The caller checks the content of each reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from limpet.errors import ModelFailed
from limpet.lean.digest import sha256
from limpet.llm.protocol import Reply, Request, Stop, never_stop
from limpet.llm.providers.anthropic import Anthropic
from limpet.llm.providers.ladder import Ladder
from limpet.llm.providers.ollama import Ollama
from limpet.llm.providers.openai import OpenAi
from limpet.llm.providers.transport import check_status, parse_answer, post
from limpet.llm.providers.wire import Answer, Rung, Wire
from limpet.llm.reply import read_objects

WIRES: Mapping[str, Wire] = {"anthropic": Anthropic(), "openai": OpenAi(), "ollama": Ollama()}
"""The API format of each provider, by the provider's name in the settings."""
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
