"""Each wire asks for structured output in its own way, and reads texts, cuts, refusals and counts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers import ENDPOINTS
from limpet.llm.providers.endpoint import EndpointModel
from limpet.llm.providers.wires import WIRES, Anthropic, Ollama, OpenAi, Rung
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


GREETING = Request(instructions="Be brief.", text="Hello", most_tokens=9, schema={"type": "object"})


def test_the_model_must_call_the_tool_and_words_alone_name_none() -> None:
    body = Anthropic().write("small", GREETING, Rung.SCHEMA)
    assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"]}
    plain = Anthropic().write("small", GREETING, Rung.PROMPT)
    assert plain == {key: value for key, value in body.items() if key not in ("tools", "tool_choice")}


def test_the_input_of_the_tool_goes_before_texts() -> None:
    blocks = [{"type": "text", "text": "Sure."}, {"type": "tool_use", "input": {"text": "ä"}}]
    assert Anthropic().read({"content": blocks}).text == '{"text": "ä"}'


def test_a_refusal_says_what_it_cost() -> None:
    usage = {"input_tokens": 7, "output_tokens": True}
    with pytest.raises(ModelFailed) as failed:
        Anthropic().read({"stop_reason": "refusal", "content": [], "usage": usage})
    assert failed.value.tokens == 7


@pytest.mark.parametrize(("rung", "form"), [("schema", "json_schema"), ("json", "json_object"), ("prompt", None)])
def test_each_rung_asks_for_its_form(rung: str, form: str | None) -> None:
    body = OpenAi().write("small", GREETING, Rung(rung))
    assert body.get("response_format", {}).get("type") == form


@pytest.mark.parametrize(
    "choice",
    [{"finish_reason": "content_filter", "message": {"content": "x"}}, {"message": {"content": None, "refusal": "no"}}],
)
def test_a_filter_and_a_refusal_are_failures(choice: dict[str, object]) -> None:
    with pytest.raises(ModelFailed, match="refused"):
        OpenAi().read({"choices": [choice]})


def test_a_server_without_a_key_gets_no_header() -> None:
    assert OpenAi().headers("") == {} and OpenAi().headers("k") == {"authorization": "Bearer k"}


@pytest.mark.parametrize(("rung", "form"), [("schema", {"type": "object"}), ("json", "json"), ("prompt", None)])
def test_ollama_is_given_the_form_of_each_rung(rung: str, form: object) -> None:
    body = Ollama().write("small", GREETING, Rung(rung))
    assert (body.get("format"), body["stream"], body["options"]) == (form, False, {"num_predict": 9})


@pytest.mark.parametrize(("count", "read"), [(5, 5), (-1, None), ("5", None), (True, None), (1 << 60, None)])
def test_a_count_is_a_number_or_nothing(count: object, read: int | None) -> None:
    answer = Ollama().read({"message": {"content": "x"}, "prompt_eval_count": count})
    assert (answer.tokens_in, answer.tokens_out) == (read, None)
