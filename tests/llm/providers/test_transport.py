"""A request ends at its deadline or when it is no longer wanted, and the server learns that at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Request
from limpet.llm.providers import transport
from limpet.llm.providers.endpoint import EndpointModel
from tests.llm.scripted import NOT_HANGING_S, Said, Server, pass_deadlines

ASKED = Request(instructions="Be brief.", text="What is kept?", most_tokens=50)


def ask(server: Server, **values: Any) -> str:
    options: dict[str, Any] = {"url": server.url, "model": "small", "key": "", "timeout": 20.0, **values}
    return EndpointModel("openai", **options).ask(ASKED).text


def test_a_server_that_does_not_answer_is_left_at_the_deadline(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.script = lambda form, body: Said("late", pause=NOT_HANGING_S)
    pass_deadlines(monkeypatch, lambda: server.asked)
    with pytest.raises(ModelFailed, match=r"did not answer within 20 s") as failure:
        ask(server)
    assert failure.value.tokens > 0
    assert server.cut.wait(NOT_HANGING_S)


def test_a_slow_body_does_not_outlast_the_deadline(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.script = lambda form, body: Said("a text that takes its time", pause=0.02, slow=True)
    pass_deadlines(monkeypatch, lambda: server.sent >= 3)
    with pytest.raises(ModelFailed, match="did not answer within 20 s"):
        ask(server)


def test_the_deadline_is_named_whoever_notices_it_first(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The HTTP client has a deadline too, and could call the same delay a broken connection."""
    monkeypatch.setattr(transport, "_POLL_S", 1.0)
    server.script = lambda form, body: Said("late", pause=NOT_HANGING_S)
    with pytest.raises(ModelFailed, match=r"did not answer within 0\.2 s"):
        ask(server, timeout=0.2)


def test_a_request_that_is_no_longer_wanted_is_cancelled(server: Server) -> None:
    wanted = threading.Event()

    def script(form: str, body: dict[str, Any]) -> Said:
        wanted.set()
        return Said("late", pause=NOT_HANGING_S)

    server.script = script
    with pytest.raises(ModelFailed, match="cancelled, because a session needs the endpoint"):
        ask(server, stop=lambda since: wanted.is_set())
    assert server.cut.wait(NOT_HANGING_S)


def test_only_a_server_on_this_machine_is_given_up_for_a_session() -> None:
    made = EndpointModel("openai", url="https://example.org/v1", model="m", key="", timeout=1, stop=lambda since: True)
    assert not made._stop(0)
    near = EndpointModel("openai", url="http://[::1]:80/v1", model="m", key="", timeout=1, stop=lambda since: True)
    assert near._stop(0)
