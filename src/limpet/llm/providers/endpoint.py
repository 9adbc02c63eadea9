"""Ask a model behind an HTTP endpoint, on the highest rung of structured output that the endpoint stands on.

Which rung that is shows at the first request and is kept in the home: an endpoint that refuses a schema, or answers
something else than JSON to one, is asked one rung lower from then on. Whatever comes back is checked by the role.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from urllib.parse import urlsplit

from limpet import system
from limpet.errors import ModelFailed
from limpet.lean.digest import sha256
from limpet.llm.protocol import Reply, Request, Stop, never
from limpet.llm.providers.forms import FORMS, Answer, Rung
from limpet.llm.providers.wire import check_status, post, read_json
from limpet.llm.reply import read_objects
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER, LADDER = "llm", "ladder.json"
_UNSUPPORTED = (400, 404, 415, 422, 500, 501)
"""How servers answer a form of request that they do not know; llama.cpp says 500 to some schemas."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Endpoint:
    """A model behind an HTTP endpoint; `form` is `anthropic`, `openai` or `ollama`."""

    def __init__(
        self,
        form: str,
        *,
        url: str,
        model: str,
        key: str,
        timeout: float,
        home: str | None = None,
        stop: Stop = never,
    ) -> None:
        if not model:
            raise ModelFailed(f"set llm.model to the name of a model that the {form} endpoint has")
        self._form = FORMS[form]
        self.name = f"{form}:{model}"
        self._model, self._key, self._timeout = model, key, timeout
        self._url = (url or self._form.default_url).rstrip("/")
        self._ladder = os.path.join(home, FOLDER, LADDER) if home else None
        self._place = sha256(f"{form} {self._url} {model}".encode("utf-8", "replace")).hexdigest()[:16]
        self._rung = self._load_rung()
        # Only a server on this machine may be the one that a session is waiting for.
        self._stop = stop if _is_local(self._url) else never

    def ask(self, request: Request) -> Reply:
        """Return the reply of the endpoint; raise ModelFailed if it does not contain a text in the known form."""
        if request.schema is None:
            return self._read(*self._post(request, Rung.PROMPT), request)
        rungs = self._form.rungs[self._form.rungs.index(self._rung) :]
        for rung in rungs:
            status, body = self._post(request, rung)
            if status in _UNSUPPORTED and rung is not rungs[-1]:
                continue
            reply = self._read(status, body, request)
            is_json = reply.is_cut or bool(read_objects(reply.text, lambda reason: None, most=1))
            self._keep_rung(rung if is_json else rungs[min(rungs.index(rung) + 1, len(rungs) - 1)])
            return reply
        raise ModelFailed("the endpoint has no form of request that Limpet knows")

    def _post(self, request: Request, rung: Rung) -> tuple[int, bytes]:
        body = self._form.write(self._model, request, rung)
        headers = self._form.headers(self._key)
        try:
            return post(self._url + self._form.path, body, headers=headers, timeout=self._timeout, stop=self._stop)
        except ModelFailed as failure:
            # Nobody knows how far it was read: the whole request counts, unless no connection was made.
            spent = 0 if "could not be reached" in str(failure) else _estimate(request)
            raise ModelFailed(str(failure), tokens=spent) from None

    def _read(self, status: int, body: bytes, request: Request) -> Reply:
        check_status(status)
        try:
            answer = self._read_answer(read_json(body))
        except ModelFailed as failure:
            # An answer that cannot be used was computed and is paid for.
            raise ModelFailed(str(failure), tokens=failure.tokens or _estimate(request)) from None
        # Some servers report 0 if they do not count; that must not make the limit of the day endless.
        return Reply(
            text=answer.text,
            tokens_in=answer.tokens_in or _estimate(request),
            tokens_out=answer.tokens_out or count_tokens(answer.text),
            is_cut=answer.is_cut,
        )

    def _read_answer(self, answer: Any) -> Answer:
        try:
            found = self._form.read(answer)
        except (KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise ModelFailed("the endpoint's answer has no text") from None
        if not isinstance(found.text, str):
            spent = (found.tokens_in or 0) + (found.tokens_out or 0)
            raise ModelFailed("the endpoint's answer has no text", tokens=spent)
        return found

    def _load_rung(self) -> Rung:
        kept = self._load().get(self._place)
        return next((rung for rung in self._form.rungs if rung == kept), self._form.rungs[0])

    def _keep_rung(self, rung: Rung) -> None:
        if rung is self._rung and self._place in self._load():
            return
        self._rung = rung
        if self._ladder is not None:
            with suppress(OSError):
                system.private_directory(os.path.dirname(self._ladder))
                kept = {**self._load(), self._place: rung.value}
                system.write_atomically(self._ladder, json.dumps(kept).encode(), durable=False)

    def _load(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            with open(self._ladder or os.devnull, encoding="utf-8") as file:
                found = json.load(file)
            return found if isinstance(found, dict) else {}
        return {}


def _is_local(url: str) -> bool:
    with suppress(ValueError):
        return (urlsplit(url).hostname or "") in _LOOPBACK
    return False


def _estimate(request: Request) -> int:
    return count_tokens(request.instructions) + count_tokens(request.text)
