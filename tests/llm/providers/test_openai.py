"""OpenAI's chat completions: the form of a reply stands in `response_format`."""

from __future__ import annotations

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Request
from limpet.llm.providers.openai import OpenAi
from limpet.llm.providers.wire import Rung

ASKED = Request(instructions="Be brief.", text="Hello", most_tokens=9, schema={"type": "object"})


@pytest.mark.parametrize(("rung", "form"), [("schema", "json_schema"), ("json", "json_object"), ("prompt", None)])
def test_each_rung_asks_for_its_form(rung: str, form: str | None) -> None:
    body = OpenAi().write("small", ASKED, Rung(rung))
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
