"""A graph shows memories and the links between them."""

from __future__ import annotations

from limpet.curating.writing import build_draft, run_many
from limpet.model.memory import Kind
from tests.operations.sandbox import Sandbox


def test_a_graph_shows_the_links_between_memories(sandbox: Sandbox) -> None:
    first = sandbox.remember("The default port of the API is 8080", kind="ARCHITECTURAL")
    second = sandbox.remember("The default port of the API is 9090", kind="ARCHITECTURAL")
    third = sandbox.ask("correct", id=second.id, text="The default port of the API is 7070").memory
    found = sandbox.json("graph")
    edges = {(edge["from"], edge["relation"], edge["to"]) for edge in found["edges"]}
    assert {(second.id, "follows", first.id), (second.id, "replaces", first.id)} <= edges
    assert (third.id, "corrects", second.id) in edges
    assert len(found["nodes"]) == found["total"] == 3


def test_a_graph_around_a_memory_finds_even_the_oldest(sandbox: Sandbox) -> None:
    first = sandbox.remember("The first of all", kind="LEARNINGS")
    sandbox.ms += 1000
    with sandbox.open() as runtime:
        run_many(runtime, [build_draft(runtime, text=f"Thing number {n}", kind=Kind.LEARNINGS) for n in range(60)])
    sandbox.remember("Quite apart", kind="EMOTIONAL")
    assert first.id not in {node["id"] for node in sandbox.json("graph")["nodes"]}
    found = sandbox.json("graph", id=first.id, limit=3)
    assert first.id in {node["id"] for node in found["nodes"]}
    assert (len(found["nodes"]), found["total"]) == (3, 61)
    following = sandbox.json("graph", id=first.id, limit=60, offset=3)
    ids = {node["id"] for answer in (found, following) for node in answer["nodes"]}
    assert (len(ids), following["total"]) == (61, 61)
    assert {edge["to"] for edge in found["edges"]} <= {node["id"] for node in found["nodes"]}


def test_a_graph_can_be_read_page_by_page(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        run_many(runtime, [build_draft(runtime, text=f"Thing number {n}", kind=Kind.LEARNINGS) for n in range(5)])
    pages = [sandbox.json("graph", limit=2, offset=offset)["nodes"] for offset in (0, 2, 4)]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert len({node["id"] for page in pages for node in page}) == 5
