"""The vendors' own clients accept what the scripted server answers, so tests against it mean something."""

from __future__ import annotations

import json
import warnings

import pytest

from tests.llm.scripted import Said, Server

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import anthropic
    import openai

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def ask_anthropic(server: Server) -> anthropic.types.Message:
    with anthropic.Anthropic(base_url=server.url, api_key="k", max_retries=0) as client:
        return client.messages.create(
            model="small",
            max_tokens=50,
            system="Be brief.",
            messages=[{"role": "user", "content": "What is kept?"}],
            tools=[{"name": "reply", "input_schema": SCHEMA}],
            tool_choice={"type": "tool", "name": "reply"},
        )


def ask_openai(server: Server) -> openai.types.chat.ChatCompletion:
    with openai.OpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
        return client.chat.completions.create(
            model="small",
            messages=[{"role": "user", "content": "What is kept?"}],
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
            },
        )


def test_anthropics_client_reads_a_tool_call_a_cut_and_a_refusal(server: Server) -> None:
    server.script = lambda form, body: Said(json.dumps({"text": "tea"}))
    (block,) = ask_anthropic(server).content
    assert block.type == "tool_use" and block.input == {"text": "tea"}
    for stop, reason in (("cut", "max_tokens"), ("refusal", "refusal")):
        server.script = lambda form, body, stop=stop: Said("no", stop=stop)  # type: ignore[misc]
        assert ask_anthropic(server).stop_reason == reason


def test_openais_client_reads_a_text_a_cut_and_a_refusal(server: Server) -> None:
    server.script = lambda form, body: Said('{"text": "tea"}')
    answer = ask_openai(server)
    assert answer.choices[0].message.content == '{"text": "tea"}' and answer.usage is not None
    server.script = lambda form, body: Said("no", stop="refusal")
    assert ask_openai(server).choices[0].message.refusal == "no"
    server.script = lambda form, body: Said('{"te', stop="cut")
    assert ask_openai(server).choices[0].finish_reason == "length"


@pytest.mark.parametrize("status", [400, 429, 500, 529])
def test_both_clients_read_errors_as_errors(server: Server, status: int) -> None:
    server.script = lambda form, body: Said("busy", status=status)
    with pytest.raises(anthropic.APIStatusError) as first:
        ask_anthropic(server)
    with pytest.raises(openai.APIStatusError) as second:
        ask_openai(server)
    assert first.value.status_code == second.value.status_code == status
