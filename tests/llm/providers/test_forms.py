"""Each form asks for structured output in its own way, and reads texts, cuts, refusals and counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers.endpoint import Endpoint
from tests.llm.scripted import Said, Server

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ASKED = Request(instructions="Be brief.", text="What is kept?", most_tokens=50, schema=SCHEMA)
FORMS = ("anthropic", "openai", "ollama")


def ask(server: Server, form: str, home: Path | None = None, **values: Any) -> Reply:
    options: dict[str, Any] = {"url": server.url, "model": "small", "key": "k1", "timeout": 5.0, **values}
    return Endpoint(form, home=str(home) if home else None, **options).ask(ASKED)


@pytest.mark.parametrize("form", FORMS)
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


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_reply_says_so(server: Server, form: str) -> None:
    server.script = lambda form, body: Said('{"te', stop="cut")
    assert ask(server, form).is_cut


@pytest.mark.parametrize("form", ["anthropic", "openai"])
def test_a_refusal_is_a_failure_that_was_paid_for(server: Server, form: str) -> None:
    server.script = lambda form, body: Said("I cannot.", stop="refusal")
    with pytest.raises(ModelFailed, match="refused") as failure:
        ask(server, form)
    assert failure.value.tokens == 13


def rung_of(form: str, body: dict[str, Any]) -> str:
    if form == "anthropic":
        return "schema" if "tools" in body else "prompt"
    given = body.get("response_format", {}).get("type") if form == "openai" else body.get("format")
    return "prompt" if given is None else "json" if given in ("json_object", "json") else "schema"


@pytest.mark.parametrize("form", FORMS)
def test_an_endpoint_that_refuses_a_schema_is_asked_one_rung_lower_from_then_on(
    server: Server, form: str, tmp_path: Path
) -> None:
    def script(form: str, body: dict[str, Any]) -> Said:
        return Said("no such thing", status=500) if rung_of(form, body) != "prompt" else Said('{"text": "tea"}')

    server.script = script
    rungs = ["schema", "prompt"] if form == "anthropic" else ["schema", "json", "prompt"]
    assert json.loads(ask(server, form, tmp_path).text) == {"text": "tea"}
    assert [rung_of(*each) for each in server.asked] == rungs
    ask(server, form, tmp_path)
    assert [rung_of(*each) for each in server.asked] == [*rungs, "prompt"]
    ask(server, form, tmp_path, model="other")
    assert len(server.asked) == 2 * len(rungs) + 1


@pytest.mark.parametrize("form", ["openai", "ollama"])
def test_an_endpoint_that_ignores_the_schema_is_asked_one_rung_lower(server: Server, form: str, tmp_path: Path) -> None:
    server.script = lambda form, body: Said("Sure! Here is your answer.")
    assert ask(server, form, tmp_path).text.startswith("Sure!")
    ask(server, form, tmp_path)
    assert [rung_of(*each) for each in server.asked] == ["schema", "json"]


def test_a_busy_endpoint_stays_on_its_rung(server: Server, tmp_path: Path) -> None:
    for status in (429, 529):
        server.script = lambda form, body, status=status: Said("later", status=status)  # type: ignore[misc]
        with pytest.raises(ModelFailed, match=f"answered {status}"):
            ask(server, "openai", tmp_path)
    assert [rung_of(*each) for each in server.asked] == ["schema", "schema"]


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"x": 1}', "\x00"])
def test_a_damaged_ladder_is_climbed_again(server: Server, tmp_path: Path, content: str) -> None:
    (tmp_path / "llm").mkdir()
    (tmp_path / "llm" / "ladder.json").write_text(content)
    server.script = lambda form, body: Said('{"text": "tea"}')
    assert json.loads(ask(server, "openai", tmp_path).text) == {"text": "tea"}
