"""An endpoint that refuses or ignores a form of structured output is asked one rung lower, for a day."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from limpet import clock
from limpet.errors import ModelFailed
from limpet.llm.protocol import Request
from limpet.llm.providers import ENDPOINTS
from limpet.llm.providers.endpoint import LADDER_FILE, EndpointModel
from tests.llm.scripted import NOT_HANGING_S, Said, Server, pass_deadlines

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ASKED = Request(instructions="Be brief.", text="What is kept?", most_tokens=50, schema=SCHEMA)
GOOD = Said('{"text": "tea"}')
REFUSED = {
    "anthropic": "tools: this model does not support tool use",
    "openai": "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model",
    "ollama": 'invalid format: expected "json" or a JSON schema',
}


def ask(server: Server, form: str, home: Path, **values: Any) -> str:
    options: dict[str, Any] = {"url": server.url, "model": "small", "key": "k1", "timeout": 60.0, **values}
    return EndpointModel(form, home=str(home), **options).ask(ASKED).text


def rung_of(form: str, body: dict[str, Any]) -> str:
    if form == "anthropic":
        return "schema" if "tools" in body else "prompt"
    given = body.get("response_format", {}).get("type") if form == "openai" else body.get("format")
    return "prompt" if given is None else "json" if given in ("json_object", "json") else "schema"


def rungs(server: Server) -> list[str]:
    return [rung_of(*each) for each in server.asked]


def refuse(server: Server, status: int = 400) -> None:
    """Let the server refuse every form but words alone."""
    server.script = lambda form, body: Said(REFUSED[form], status=status) if rung_of(form, body) != "prompt" else GOOD


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("form", ENDPOINTS)
def test_an_endpoint_that_refuses_a_schema_is_asked_one_rung_lower_from_then_on(
    server: Server, form: str, status: int, tmp_path: Path
) -> None:
    refuse(server, status)
    downwards = ["schema", "prompt"] if form == "anthropic" else ["schema", "json", "prompt"]
    assert json.loads(ask(server, form, tmp_path)) == {"text": "tea"}
    assert rungs(server) == downwards
    ask(server, form, tmp_path)
    assert rungs(server) == [*downwards, "prompt"]


@pytest.mark.parametrize("changed", [{"model": "other"}, {"url": "/v1"}], ids=str)
def test_an_endpoint_with_other_settings_is_asked_from_the_top(
    server: Server, tmp_path: Path, changed: dict[str, str]
) -> None:
    refuse(server)
    ask(server, "openai", tmp_path)
    url = server.url + changed.get("url", "")
    ask(server, "openai", tmp_path, **{**changed, "url": url})
    assert rungs(server) == ["schema", "json", "prompt"] * 2


@pytest.mark.parametrize("form", ["openai", "ollama"])
def test_an_endpoint_that_ignores_the_schema_is_asked_one_rung_lower(server: Server, form: str, tmp_path: Path) -> None:
    server.script = lambda form, body: Said("Sure! Here is your answer.")
    assert ask(server, form, tmp_path).startswith("Sure!")
    ask(server, form, tmp_path)
    assert rungs(server) == ["schema", "json"]


@pytest.mark.parametrize(
    "said",
    [
        *(Said("grammar schema response_format", status=status) for status in (429, 500, 501, 502, 503, 529)),
        Said("This model's maximum context length is 4096 tokens", status=400),
        Said("no such model", status=404),
        Said(raw=b"<html>"),
        Said("late", pause=NOT_HANGING_S),
    ],
    ids=lambda said: f"{said.status} {said.text[:12]}",
)
def test_a_failure_that_says_nothing_of_the_form_moves_nobody(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Said
) -> None:
    server.script = lambda form, body: said
    with monkeypatch.context() as patch, pytest.raises(ModelFailed):
        pass_deadlines(patch, lambda: said.pause and server.asked)
        ask(server, "openai", tmp_path)
    assert rungs(server) == ["schema"], "it is not asked in another form either"
    server.script = lambda form, body: GOOD
    ask(server, "openai", tmp_path)
    assert rungs(server) == ["schema", "schema"]


def test_a_failure_below_the_refused_rung_is_not_kept(server: Server, tmp_path: Path) -> None:
    server.script = lambda form, body: (
        Said(REFUSED[form], status=400) if rung_of(form, body) == "schema" else Said("down", status=500)
    )
    with pytest.raises(ModelFailed, match="answered 500"):
        ask(server, "openai", tmp_path)
    server.script = lambda form, body: GOOD
    ask(server, "openai", tmp_path)
    assert rungs(server) == ["schema", "json", "schema"]


@pytest.mark.parametrize(("passed", "again"), [(clock.DAY_MS - 1, "prompt"), (clock.DAY_MS, "schema"), (-1, "schema")])
def test_the_top_is_tried_again_after_a_day(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed: int, again: str
) -> None:
    now = [clock.now_ms()]
    monkeypatch.setattr(clock, "now_ms", lambda: now[0])
    refuse(server)
    ask(server, "openai", tmp_path)
    now[0] += passed
    server.script = lambda form, body: GOOD
    ask(server, "openai", tmp_path)
    assert rungs(server)[3:] == [again]


def test_using_the_lower_rung_every_hour_does_not_put_off_the_next_try(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [clock.now_ms()]
    monkeypatch.setattr(clock, "now_ms", lambda: now[0])
    refuse(server)
    for _ in range(25):
        ask(server, "openai", tmp_path)
        now[0] += clock.DAY_MS // 24
    assert rungs(server)[3:-3] == ["prompt"] * 23 and rungs(server)[-3:] == ["schema", "json", "prompt"]


@pytest.mark.parametrize(
    "content", ["", "[1]", "{", '{"x": 1}', "\x00", '{"ID": "prompt"}', '{"ID": {"rung": "prompt", "since": "x"}}']
)
def test_a_damaged_ladder_is_climbed_again(server: Server, tmp_path: Path, content: str) -> None:
    id = EndpointModel("openai", url=server.url, model="small", key="", timeout=1)._id
    (tmp_path / LADDER_FILE).write_text(content.replace("ID", id))
    server.script = lambda form, body: GOOD
    assert json.loads(ask(server, "openai", tmp_path)) == {"text": "tea"}
    assert rungs(server) == ["schema"]


def test_a_home_that_cannot_be_written_costs_the_memory_of_the_rung_only(server: Server, tmp_path: Path) -> None:
    (tmp_path / LADDER_FILE).mkdir()
    refuse(server)
    for _ in range(2):
        assert json.loads(ask(server, "openai", tmp_path)) == {"text": "tea"}
    assert rungs(server) == ["schema", "json", "prompt"] * 2
