"""Each wire asks for structured output in its own way, and reads texts, cuts, refusals and counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers import ENDPOINTS
from limpet.llm.providers.endpoint import WIRES, EndpointModel
from tests.llm.scripted import Said, Server

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ASKED = Request(instructions="Be brief.", text="What is kept?", most_tokens=50, schema=SCHEMA)


def ask(server: Server, form: str, **values: Any) -> Reply:
    options: dict[str, Any] = {"url": server.url, "model": "small", "key": "k1", "timeout": 5.0, **values}
    return EndpointModel(form, **options).ask(ASKED)


@pytest.mark.parametrize("form", ENDPOINTS)
def test_a_schema_is_asked_for_and_its_object_comes_back(server: Server, form: str) -> None:
    server.script = lambda form, body: Said('{"text": "tea"}')
    reply = ask(server, form)
    assert json.loads(reply.text) == {"text": "tea"} and (reply.tokens_in, reply.tokens_out) == (11, 2)
    ((_, body),) = server.asked
    asked = {
        "anthropic": lambda: body["tools"][0]["input_schema"],
        "openai": lambda: body["response_format"]["json_schema"]["schema"],
        "ollama": lambda: body["format"],
    }[form]()
    assert asked == SCHEMA


@pytest.mark.parametrize("form", ENDPOINTS)
def test_a_cut_reply_says_so(server: Server, form: str) -> None:
    server.script = lambda form, body: Said('{"te', stop="cut")
    assert ask(server, form).is_cut


@pytest.mark.parametrize("form", ["anthropic", "openai"])
def test_a_refusal_is_a_failure_that_was_paid_for(server: Server, form: str) -> None:
    server.script = lambda form, body: Said("I cannot.", stop="refusal")
    with pytest.raises(ModelFailed, match="refused") as failure:
        ask(server, form)
    assert failure.value.tokens == 13


def test_every_wire_can_be_named_in_the_settings() -> None:
    assert tuple(WIRES) == ENDPOINTS
