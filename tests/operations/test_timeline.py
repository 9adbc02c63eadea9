"""A timeline is a page of episodes, or what lies around one memory."""

from __future__ import annotations

from tests.operations.sandbox import DAY, Sandbox


def contents(answer: dict[str, list[dict[str, list[dict[str, str]]]]]) -> list[str]:
    return [memory["content"] for episode in answer["episodes"] for memory in episode["memories"]]


def fill(sandbox: Sandbox) -> list[str]:
    ids = []
    for text in ("The port is 8080", "Use uv here", "Matt likes green", "Deploys need a tag"):
        ids.append(sandbox.remember(text).id)
        sandbox.ms += DAY
    return ids


def test_the_newest_come_in_order_of_time(sandbox: Sandbox) -> None:
    fill(sandbox)
    answer = sandbox.json("timeline", limit=2)
    assert contents(answer) == ["Matt likes green", "Deploys need a tag"]
    assert (answer["total"], answer["has_more"]) == (4, True)


def test_around_a_memory_are_its_neighbours(sandbox: Sandbox) -> None:
    ids = fill(sandbox)
    around = contents(sandbox.json("timeline", around=ids[1], limit=2))
    assert around == ["The port is 8080", "Use uv here", "Matt likes green"]


def test_filters_apply(sandbox: Sandbox) -> None:
    fill(sandbox)
    sandbox.remember("Shipped the importer", kind="ACHIEVEMENTS")
    assert contents(sandbox.json("timeline", kind="ACHIEVEMENTS")) == ["Shipped the importer"]
