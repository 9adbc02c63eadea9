"""A scripted model on 127.0.0.1 that keeps every request that a real client sends.

It speaks the streaming forms of three vendors, each in its own module. A script belongs to a word: the last
prompt that holds the word is answered with the script's steps, one a request. Which step is next is counted in the
request itself, so a request that the client sends twice gets the same answer twice, and what a client asks on the side
(a title, a summary) uses up no step.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple

from tests.clients.wire import anthropic, gemini, openai
from tests.clients.wire.turn import Answer, Call, Say, Turn

NOTHING_TO_SAY = "That is all."
SUMMARY = "The earlier part of this conversation, in short."


class Asked(NamedTuple):
    """One request as it came in."""

    path: str
    body: dict[str, Any]
    turn: Turn

    def __repr__(self) -> str:
        """Return a short form: the whole request is thousands of words and would hide why a test failed."""
        return f"<request to {self.path}, answer {self.turn.answered + 1} to {self.turn.prompt[-60:]!r}>"

    @property
    def text(self) -> str:
        """Everything the model is given to read, in the order it stands in the request."""
        return "\n".join(_texts({key: value for key, value in self.body.items() if key != "tools"}))

    @property
    def tools(self) -> list[str]:
        return self.turn.tools


class Model:
    """The scripts, the requests so far, and the server between them."""

    def __init__(self) -> None:
        self.scripts: dict[str, Sequence[Say | Call]] = {}
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    def __enter__(self) -> Model:
        # The default would let the end of every test wait half a second for the server to look up.
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def when(self, word: str, *steps: Say | Call) -> None:
        """Answer a prompt that holds the word with these steps."""
        self.scripts[word] = steps

    def requests(self, word: str) -> list[Asked]:
        """Return the requests of the conversation that a prompt with this word began, in order."""
        with self._lock:
            return [asked for asked in self.asked if word in asked.turn.prompt]

    def _answer(self, path: str, body: dict[str, Any], turn: Turn) -> Answer:
        with self._lock:
            self.asked.append(Asked(path, body, turn))
            return Answer(self._step(turn), number=len(self.asked))

    def _step(self, turn: Turn) -> Say | Call:
        if turn.wants_summary:
            return Say(f"<summary>{SUMMARY}</summary>")
        for word, steps in self.scripts.items():
            if word in turn.prompt and turn.answered < len(steps):
                return steps[turn.answered]
        return Say(NOTHING_TO_SAY)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                path = self.path.partition("?")[0]
                for ending, vendor in VENDORS.items():
                    if path.endswith(ending):
                        self._send(vendor(model._answer, path, body))
                        return
                self._send({"error": f"nobody answers {path}"}, 404)

            def do_GET(self) -> None:
                self._send({"data": [], "models": []})

            def do_HEAD(self) -> None:
                self._send({})

            def _send(self, reply: Mapping[str, Any] | Iterable[str], status: int = 200) -> None:
                streams = not isinstance(reply, Mapping)
                data = ("".join(reply) if streams else json.dumps(reply)).encode()
                self.send_response(status)
                self.send_header("content-type", "text/event-stream" if streams else "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                """Print nothing: the requests are kept."""

        return Handler


Ask = Callable[[str, dict[str, Any], Turn], Answer]


def _messages(ask: Ask, path: str, body: dict[str, Any]) -> Mapping[str, Any] | Iterable[str]:
    answer = ask(path, body, anthropic.turn(body))
    return anthropic.stream(answer, body) if body.get("stream") else anthropic.whole(answer, body)


def _count(ask: Ask, path: str, body: dict[str, Any]) -> Mapping[str, Any]:
    return {"input_tokens": len(json.dumps(body)) // 4}


def _responses(ask: Ask, path: str, body: dict[str, Any]) -> Iterable[str]:
    return openai.stream(ask(path, body, openai.turn(body)), body)


def _generate(ask: Ask, path: str, body: dict[str, Any]) -> Mapping[str, Any] | Iterable[str]:
    answer = ask(path, body, gemini.turn(body))
    return gemini.stream(answer) if path.endswith(":streamGenerateContent") else gemini.whole(answer)


def _total(ask: Ask, path: str, body: dict[str, Any]) -> Mapping[str, Any]:
    return {"totalTokens": len(json.dumps(body)) // 4}


VENDORS: Mapping[str, Callable[[Ask, str, dict[str, Any]], Mapping[str, Any] | Iterable[str]]] = {
    "/v1/messages": _messages,
    "/v1/messages/count_tokens": _count,
    "/responses": _responses,
    ":streamGenerateContent": _generate,
    ":generateContent": _generate,
    ":countTokens": _total,
}


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
