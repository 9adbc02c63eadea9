"""Every injection leaves a receipt."""

from __future__ import annotations

from tests.inject.injecting import inject
from tests.operations.sandbox import Sandbox


def test_each_injection_leaves_a_receipt_that_why_shows(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The staging database is called heron-7")
    inject(sandbox, "prompt", text="what is the staging database called?")
    [receipt] = sandbox.json("why", id=memory.id)["receipts"]
    assert (receipt["way"], receipt["session"]) == ("prompt", "s1")
    assert receipt["tokens"] > 0
    [shown] = receipt["memories"]
    assert {"score", "match", "recency", "strength", "trust"} <= shown["parts"].keys()


def test_an_injection_is_no_access(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The staging database is called heron-7")
    inject(sandbox)
    with sandbox.open() as runtime:
        stored = runtime.reading().get(memory.id)
    assert stored is not None
    assert (stored.standing.access_count, stored.standing.last_accessed) == (0, None)
