"""Anthropic's Messages: a schema is a tool that the model must call, and its input is the reply."""

from __future__ import annotations

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Request
from limpet.llm.providers.anthropic import Anthropic
from limpet.llm.providers.wire import Rung

ASKED = Request(instructions="Be brief.", text="Hello", most_tokens=9, schema={"type": "object"})


def test_the_model_must_call_the_tool_and_words_alone_name_none() -> None:
    body = Anthropic().write("small", ASKED, Rung.SCHEMA)
    assert body["tool_choice"] == {"type": "tool", "name": body["tools"][0]["name"]}
    plain = Anthropic().write("small", ASKED, Rung.PROMPT)
    assert plain == {key: value for key, value in body.items() if key not in ("tools", "tool_choice")}


def test_the_input_of_the_tool_goes_before_texts() -> None:
    blocks = [{"type": "text", "text": "Sure."}, {"type": "tool_use", "input": {"text": "ä"}}]
    assert Anthropic().read({"content": blocks}).text == '{"text": "ä"}'


def test_a_refusal_says_what_it_cost() -> None:
    usage = {"input_tokens": 7, "output_tokens": True}
    with pytest.raises(ModelFailed) as failed:
        Anthropic().read({"stop_reason": "refusal", "content": [], "usage": usage})
    assert failed.value.tokens == 7
