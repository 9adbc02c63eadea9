"""A model is asked within the tokens of the day, and every reply is counted."""

from __future__ import annotations

import pytest

from limpet.doors.ledger import CURATE, EXTRACT, ask_model, tokens_left
from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from tests.operations.sandbox import Sandbox

REQUEST = Request(instructions="Be brief.", text="What is kept?", most_tokens=100)


class Scripted:
    """A model that says nothing and costs 400 tokens."""

    name = "scripted"
    calls = 0

    def ask(self, request: Request) -> Reply:
        self.calls += 1
        return Reply(text="", tokens_in=300, tokens_out=100)


def test_the_roles_share_the_tokens_of_the_day(sandbox: Sandbox) -> None:
    model = Scripted()
    with sandbox.open(flags={"llm.provider": "claude", "llm.daily_tokens": "900"}) as runtime:
        context = runtime.context()
        for role, left in ((CURATE, 500), (EXTRACT, 100)):
            ask_model(context, model, REQUEST, role=role)
            assert tokens_left(context) == left
        with pytest.raises(ModelFailed, match=r"needs up to \d+ tokens and 100 may still be spent"):
            ask_model(context, model, REQUEST, role=EXTRACT)
    assert model.calls == 2
    [day] = sandbox.json("cost")["days"]
    assert (day["calls"], day["tokens"]) == (2, 800)
