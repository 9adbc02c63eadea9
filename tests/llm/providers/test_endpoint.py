"""An endpoint is asked in its own form, and anything but a text in that form is a failure with a sentence."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers.endpoint import Endpoint

ASKED = Request(instructions="Be brief.", text="What is kept?", most_tokens=50)
ANTHROPIC = {
    "content": [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "no"},
        {"type": "text", "text": "thing"},
    ],
    "usage": {"input_tokens": 11, "output_tokens": 2},
}
OPENAI = {
    "choices": [{"message": {"role": "assistant", "content": "nothing"}}],
    "usage": {"prompt_tokens": 11, "completion_tokens": 2},
}


class Server:
    """An endpoint on the loopback that gives the next scripted answer and keeps what it was asked."""

    def __init__(self) -> None:
        self.status, self.answer = 200, b"{}"
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.asked.append((self.path, headers, json.loads(body)))
                self.send_response(outer.status)
                self.send_header("content-length", str(len(outer.answer)))
                self.end_headers()
                self.wfile.write(outer.answer)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.http.shutdown()
    thread.join()
    made.http.server_close()


def ask(server: Server, form: str, answer: object = None, status: int = 200, **values: Any) -> Reply:
    server.status = status
    server.answer = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    options = {"url": server.url, "model": "small", "key": "k1", "timeout": 5.0, **values}
    return Endpoint(form, **options).ask(ASKED)


def test_anthropic_is_asked_with_its_key_and_its_texts_are_joined(server: Server) -> None:
    assert ask(server, "anthropic", ANTHROPIC) == Reply(text="nothing", tokens_in=11, tokens_out=2)
    ((path, headers, body),) = server.asked
    assert (path, headers["x-api-key"], body["system"]) == ("/v1/messages", "k1", "Be brief.")
    assert (body["max_tokens"], body["messages"]) == (50, [{"role": "user", "content": "What is kept?"}])


def test_chat_completions_need_no_key_on_a_local_server(server: Server) -> None:
    assert ask(server, "openai", OPENAI, key="").text == "nothing"
    ((path, headers, body),) = server.asked
    assert path == "/chat/completions" and "authorization" not in headers
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


@pytest.mark.parametrize("form", ["anthropic", "openai"])
@pytest.mark.parametrize(
    ("answer", "status", "sentence"),
    [
        (b"busy", 529, "answered 529: it is overloaded"),
        (b"slow down", 429, "answered 429: it limits how often"),
        (b"oops", 500, "answered 500: oops"),
        (b"<html>", 200, "not JSON"),
        (b"[" * 100_000, 200, "not JSON"),
        ({}, 200, "no text"),
        ([1], 200, "no text"),
        ({"content": [{"type": "tool_use"}], "choices": []}, 200, "no text"),
        ({"content": 7, "choices": [{"message": {"content": None}}]}, 200, "no text"),
        (b"x" * 1_000_001, 200, "too long"),
    ],
)
def test_any_other_answer_is_a_failure(server: Server, form: str, answer: object, status: int, sentence: str) -> None:
    if form == "anthropic" and isinstance(answer, dict) and answer.get("choices") == []:
        assert ask(server, form, answer, status).text == ""
        return
    with pytest.raises(ModelFailed, match=sentence):
        ask(server, form, answer, status)


def test_an_endpoint_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(ModelFailed, match="could not be reached"):
        Endpoint("openai", url="http://127.0.0.1:9", model="m", key="", timeout=2.0).ask(ASKED)


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    with pytest.raises(ModelFailed, match="answered 302"):
        ask(server, "openai", b"", 302)


def test_an_endpoint_needs_the_name_of_a_model() -> None:
    with pytest.raises(ModelFailed, match=r"set llm\.model"):
        Endpoint("anthropic", url="", model="", key="", timeout=1.0)
