"""What a model may not see or do, by whichever verb it asks."""

from __future__ import annotations

import pytest

from limpet.errors import Refused
from tests.operations.sandbox import MODEL, Sandbox


def test_a_model_does_not_reach_a_private_version_by_way_of_a_public_one(sandbox: Sandbox) -> None:
    first = sandbox.remember("The gate has a key")
    second = sandbox.ask("correct", id=first.id, text="Ann keeps the gate key", sensitivity="private").memory
    before = sandbox.journal()
    for name, values in (("correct", {"text": "Mine now"}), ("restore", {}), ("pin", {})):
        with pytest.raises(Refused, match="shown to their owner only"):
            sandbox.ask(name, id=first.id, as_=MODEL, **values)
    assert sandbox.journal() == before
    assert [node["id"] for node in sandbox.json("graph", id=second.id)["nodes"]] == [second.id, first.id]


def test_a_model_may_not_ask_about_what_it_may_not_see(sandbox: Sandbox) -> None:
    memory = sandbox.remember("For the owner", sensitivity="private")
    for name in ("blame", "show", "restore", "pin", "related", "graph"):
        with pytest.raises(Refused, match="shown to their owner only"):
            sandbox.ask(name, id=memory.id, as_=MODEL)
    with pytest.raises(Refused, match="shown to their owner only"):
        sandbox.ask("correct", id=memory.id, text="Mine now", as_=MODEL)


@pytest.mark.parametrize("name", ["list", "recall", "timeline", "graph", "export"])
def test_a_model_may_not_ask_for_private_memories(sandbox: Sandbox, name: str) -> None:
    asked = {"query": "x"} if name == "recall" else {}
    with pytest.raises(Refused, match="shown to their owner only"):
        sandbox.ask(name, private=True, as_=MODEL, **asked)
    if name in ("list", "recall"):
        for level in ("private", "secret", "unknown"):
            with pytest.raises(Refused):
                sandbox.ask(name, sensitivity=level, as_=MODEL, **asked)
