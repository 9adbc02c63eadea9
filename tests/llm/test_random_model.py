"""llama.cpp's own server with random weights: nonsense in the right form, and real errors, corrupt nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from limpet.errors import ModelFailed
from limpet.llm.checks import adds_names
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers.endpoint import EndpointModel
from limpet.llm.roles import ModelRoles
from limpet.model.memory import Phase
from tests.apps.talking import AppSandbox, statement
from tests.llm.random_model import is_installed, serve_nonsense
from tests.llm.test_roles import LONG, MEMORIES, PAIR, TALK, holds
from tests.operations.sandbox import isolate_environment

pytestmark = pytest.mark.skipif(not is_installed(), reason="xllamacpp has no build for this machine")

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve_nonsense(tmp_path_factory.mktemp("model")) as found:
        yield found


@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_the_server_is_understood_in_both_of_its_forms(address: str, form: str) -> None:
    url = f"{address}/v1" if form == "openai" else address
    reply = EndpointModel(form, url=url, model="random", key="", timeout=30).ask(
        Request(instructions="Be brief.", text="Hello", most_tokens=8)
    )
    assert reply.is_cut and 0 < reply.tokens_out <= 8 and reply.tokens_in > 0


def test_the_server_keeps_to_a_schema_or_says_that_it_cannot(address: str) -> None:
    endpoint = EndpointModel("openai", url=f"{address}/v1", model="random", key="", timeout=60)
    request = Request(instructions="Be brief.", text="Hello", most_tokens=800, schema=SCHEMA)
    for _ in range(3):
        try:
            reply = endpoint.ask(request)
        except ModelFailed as failure:
            assert "answered" in str(failure)
            continue
        if not reply.is_cut and reply.text.startswith('{"text"'):
            assert set(json.loads(reply.text)) == {"text"}


def test_nonsense_breaks_no_rule_of_any_role(address: str) -> None:
    def ask(request: Request, role: str) -> Reply:
        endpoint = EndpointModel("openai", url=f"{address}/v1", model="random", key="", timeout=60)
        return endpoint.ask(request)

    roles = ModelRoles(ask)
    assert not adds_names(roles.summarise(LONG, Phase.HINT), LONG)
    assert len(roles.summarise_conversation(TALK, most=200).text) <= 200
    merged = roles.merge(PAIR)
    assert not any(adds_names(text, merged) for _, text in PAIR)
    assert holds(roles.decide(MEMORIES, newest="m11", most=200), MEMORIES, "m11")


def test_eleven_conversations_leave_ten_memories(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_environment(monkeypatch, tmp_path)
    given = {"PROVIDER": "openai", "URL": f"{address}/v1", "MODEL": "random", "DAILY_TOKENS": "10000000"}
    for name, value in given.items():
        monkeypatch.setenv(f"LIMPET_LLM__{name}", value)
    monkeypatch.setenv("LIMPET_APPS__MODEL_SHARE", "1000000")
    apps = AppSandbox(tmp_path)
    for number in range(11):
        apps.talk(statement(number))
    assert len(apps.contents()) <= 10
    assert all(not adds_names(text, " ".join(map(statement, range(11)))) for text in apps.contents())
    assert apps.ask("verify").problems == ()
    assert apps.ask("cost").days[0][1] >= 1
