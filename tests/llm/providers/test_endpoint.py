"""An endpoint is asked in its own form, and anything but a text in that form is a failure with a sentence."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers.endpoint import EndpointModel

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
    return EndpointModel(form, **options).ask(ASKED)


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
        (b"oops", 500, "answered 500: it gave no answer"),
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


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_an_error_that_repeats_the_request_or_the_key_is_not_quoted(server: Server, status: int) -> None:
    """The sentence goes to the log, which holds no key and no text of a memory."""
    with pytest.raises(ModelFailed, match=f"answered {status}") as failed:
        ask(server, "openai", {"error": "wrong key k1-secret for: What is kept?"}, status, key="k1-secret")
    assert "k1-secret" not in str(failed.value) and "kept" not in str(failed.value)


@pytest.mark.parametrize("answer", [b"<html>", {}, {"choices": [{"message": {"content": None}}]}])
def test_an_answer_that_cannot_be_used_is_paid_for(server: Server, answer: object) -> None:
    with pytest.raises(ModelFailed) as failed:
        ask(server, "openai", answer)
    assert failed.value.tokens > 0


@pytest.mark.parametrize(("status", "is_paid"), [(500, True), (502, True), (529, False), (429, False), (400, False)])
def test_a_server_that_fails_after_reading_is_paid_for(server: Server, status: int, is_paid: bool) -> None:
    """A server of llama.cpp answers 500 to a text that the model has finished and that is not in the right form."""
    with pytest.raises(ModelFailed, match=f"answered {status}") as failed:
        ask(server, "openai", {}, status)
    assert bool(failed.value.tokens) is is_paid


def test_an_answer_without_a_text_costs_what_the_endpoint_reports(server: Server) -> None:
    """As from a model that has spent all its tokens on reasoning."""
    answer = {"choices": [{"message": {"content": None}}], "usage": {"prompt_tokens": 11, "completion_tokens": 900}}
    with pytest.raises(ModelFailed, match="no text") as failed:
        ask(server, "openai", answer)
    assert failed.value.tokens == 911


def test_an_endpoint_that_breaks_off_after_reading_is_paid_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def break_off() -> None:
            client, _ = listening.accept()
            client.recv(1 << 16)
            client.close()

        thread = threading.Thread(target=break_off, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(ModelFailed, match="broke off") as failed:
            EndpointModel("openai", url=url, model="m", key="", timeout=5.0).ask(ASKED)
        thread.join()
    assert failed.value.tokens > 0


def test_an_endpoint_that_is_not_there_is_a_failure() -> None:
    with pytest.raises(ModelFailed, match="could not be reached") as failed:
        EndpointModel("openai", url="http://127.0.0.1:9", model="m", key="", timeout=2.0).ask(ASKED)
    assert failed.value.tokens == 0


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    with pytest.raises(ModelFailed, match="answered 302"):
        ask(server, "openai", b"", 302)


def test_an_endpoint_needs_the_name_of_a_model() -> None:
    with pytest.raises(ModelFailed, match=r"set llm\.model"):
        EndpointModel("anthropic", url="", model="", key="", timeout=1.0)
