"""A server on the loopback that speaks the three forms of endpoints and answers as its script says.

`test_scripted.py` points the vendors' own clients at it, so that what is scripted here is what they accept.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

from limpet import clock

NOT_HANGING_S = 60
"""A timeout that only prevents a hang and does not measure speed."""


class Said(NamedTuple):
    """What the server answers: a text in the form of the request, or raw bytes with a status."""

    text: str = ""
    status: int = 200
    raw: bytes | None = None
    stop: str = "end"
    """end, cut or refusal."""
    pause: float = 0.0
    """Seconds before the answer, and between its bytes if it is slow."""
    slow: bool = False


Script = Callable[[str, dict[str, Any]], Said]
_PATHS = {"/v1/messages": "anthropic", "/chat/completions": "openai", "/v1/chat/completions": "openai"}


class Server:
    """A scripted endpoint, and what it was asked."""

    def __init__(self) -> None:
        self.script: Script = lambda form, body: Said("nothing")
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.cut = threading.Event()
        """Set once a client has ended a request before its answer."""
        self.sent = 0
        """How many parts of answers it has sent."""
        self.wait = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                form = _PATHS.get(self.path, "ollama")
                outer.asked.append((form, body))
                outer.answer(self, form, body)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def answer(self, handler: BaseHTTPRequestHandler, form: str, body: dict[str, Any]) -> None:
        said = self.script(form, body)
        content = said.raw if said.raw is not None else json.dumps(compose(form, body, said)).encode()
        try:
            if said.pause and not said.slow:
                handler.connection.settimeout(said.pause)
                try:
                    # A client that hangs up is seen as the end of its stream.
                    if handler.connection.recv(1) == b"":
                        self.cut.set()
                        return
                except TimeoutError:
                    pass
            handler.send_response(said.status)
            handler.send_header("content-type", "application/json")
            handler.send_header("content-length", str(len(content)))
            handler.end_headers()
            for at in range(0, len(content), 1 if said.slow else len(content) or 1):
                handler.wfile.write(content[at : at + (1 if said.slow else len(content))])
                self.sent += 1
                if said.slow and self.wait.wait(said.pause):
                    return
        except OSError:
            self.cut.set()


def pass_deadlines(monkeypatch: pytest.MonkeyPatch, happened: Callable[[], object]) -> None:
    """Let every deadline pass once something has happened, and none before, however slow the machine is."""
    monkeypatch.setattr(clock, "monotonic_ms", lambda: 1_000_000 if happened() else 0)


def compose(form: str, body: dict[str, Any], said: Said) -> dict[str, Any]:
    """Return an answer in the form that its vendor documents."""
    if said.status != 200:
        return {"type": "error", "error": {"type": "overloaded_error", "message": said.text}}
    match form:
        case "anthropic":
            stop = {"end": "end_turn", "cut": "max_tokens", "refusal": "refusal"}[said.stop]
            content: list[dict[str, Any]] = [{"type": "text", "text": said.text}]
            if "tools" in body and said.stop == "end":
                given = json.loads(said.text)
                content = [{"type": "tool_use", "id": "toolu_1", "name": body["tools"][0]["name"], "input": given}]
                stop = "tool_use"
            return {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": body["model"],
                "content": content,
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {"input_tokens": 11, "output_tokens": 2},
            }
        case "openai":
            message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": None}
            if said.stop == "refusal":
                message |= {"content": None, "refusal": said.text}
            return {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [
                    {
                        "index": 0,
                        "message": message,
                        "finish_reason": "length" if said.stop == "cut" else "stop",
                        "logprobs": None,
                    }
                ],
                "usage": {"prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13},
            }
        case _:
            return {
                "model": body["model"],
                "created_at": "2026-01-01T00:00:00Z",
                "message": {"role": "assistant", "content": said.text},
                "done": True,
                "done_reason": "length" if said.stop == "cut" else "stop",
                "prompt_eval_count": 11,
                "eval_count": 2,
            }


@contextmanager
def serve() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.wait.set()
        made.http.shutdown()
        thread.join()
        made.http.server_close()
