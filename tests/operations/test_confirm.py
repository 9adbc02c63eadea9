"""A person can vouch for a memory; a model cannot."""

from __future__ import annotations

import pytest

from limpet.errors import Refused
from limpet.model.memory import Origin
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox

TEXT = "Migrations run with alembic"


def test_confirming_vouches_for_a_memory(sandbox: Sandbox) -> None:
    memory = sandbox.remember(TEXT, as_=MODEL, confidence=0.4)
    before = sandbox.json("show", id=memory.id)["memory"]["trust"]
    answer = sandbox.ask("confirm", ids=[memory.id, memory.id[:12]])
    assert [stored.memory.confirmed for stored in answer.memories] == [True]
    shown = sandbox.json("show", id=memory.id)["memory"]
    assert shown["confidence"] == 1.0
    assert shown["trust"] > before
    assert shown["origin"] == Origin.AGENT


def test_an_older_version_cannot_be_confirmed(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    second = sandbox.ask("correct", id=first.id, text="Migrations run with liquibase").memory
    with pytest.raises(Refused, match=f"was corrected; confirm the newest version: {second.id}"):
        sandbox.ask("confirm", ids=[first.id])
    assert not sandbox.ask("show", id=second.id).stored.memory.confirmed


@pytest.mark.parametrize("values", [{}, {"yes": True}])
def test_no_model_confirms(sandbox: Sandbox, values: dict[str, object]) -> None:
    memory = sandbox.remember(TEXT, as_=MODEL)
    with pytest.raises(Refused, match="only a person can confirm"):
        sandbox.ask("confirm", ids=[memory.id], as_=MODEL, **values)
    with pytest.raises(Refused, match="add --yes"):
        sandbox.ask("confirm", ids=[memory.id], as_=PROGRAM)
    assert not sandbox.ask("show", id=memory.id).stored.memory.confirmed
