"""Ollama's own chat: the form of a reply is a schema, the word `json`, or nothing."""

from __future__ import annotations

import pytest

from limpet.llm.protocol import Request
from limpet.llm.providers.ollama import Ollama
from limpet.llm.providers.wire import Rung

ASKED = Request(instructions="Be brief.", text="Hello", most_tokens=9, schema={"type": "object"})


@pytest.mark.parametrize(("rung", "form"), [("schema", {"type": "object"}), ("json", "json"), ("prompt", None)])
def test_each_rung_asks_for_its_form(rung: str, form: object) -> None:
    body = Ollama().write("small", ASKED, Rung(rung))
    assert (body.get("format"), body["stream"], body["options"]) == (form, False, {"num_predict": 9})


@pytest.mark.parametrize(("count", "read"), [(5, 5), (-1, None), ("5", None), (True, None), (1 << 60, None)])
def test_a_count_is_a_number_or_nothing(count: object, read: int | None) -> None:
    answer = Ollama().read({"message": {"content": "x"}, "prompt_eval_count": count})
    assert (answer.tokens_in, answer.tokens_out) == (read, None)
