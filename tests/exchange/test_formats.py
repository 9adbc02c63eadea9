"""Exports for other tools: each can be read back, and what models read holds only what may be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.errors import Refused, UsageError
from limpet.exchange.account import Result
from tests.operations.sandbox import Sandbox


@pytest.fixture
def stocked(sandbox: Sandbox) -> Sandbox:
    sandbox.remember("The API listens on port 8080", title="Port: the API", tags=["net"], impact="HIGH")
    sandbox.remember('A title with "quotes" and: colons\nand a second line', title='He said: "no"', kind="LEARNINGS")
    sandbox.remember("Read on a page about ports", origin="external")
    sandbox.remember("Only for the owner", sensitivity="private")
    sandbox.ask("facts", action="add", words=["api", "port", "8080"])
    return sandbox


def test_a_bundle_is_read_back(stocked: Sandbox) -> None:
    folder = stocked.folder / "bundle"
    answer = stocked.ask("export", file=str(folder), to="okf")
    assert (answer.memories, answer.facts, answer.left_out) == (3, 1, 1)
    assert "Only for the owner" not in "".join(path.read_text() for path in folder.iterdir())
    again = stocked.ask("import", file=str(folder))
    assert {report.result for report in again.objects} == {Result.KNOWN}
    other = stocked.ask("import", file=str(folder), home=stocked.folder / "second")
    assert (other.added, other.facts) == (3, 1)
    titles = {stored.memory.title for stored in stocked.ask("list", home=stocked.folder / "second").items}
    assert {"Port: the API", 'He said: "no"'} <= titles


def test_a_fact_in_a_bundle_names_its_sources_as_far_as_they_are_there(stocked: Sandbox) -> None:
    open_, hidden = stocked.remember("The mast is pine"), stocked.remember("The keel is oak", sensitivity="private")
    stocked.ask("facts", action="add", words=["mast", "is", "pine"], sources=[open_.id])
    stocked.ask("facts", action="add", words=["keel", "is", "oak"], sources=[hidden.id])
    folder = stocked.folder / "bundle"
    assert stocked.ask("export", file=str(folder), to="okf").facts == 2
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    (mast,) = (text for name, text in texts.items() if name.startswith("fact_") and "mast" in text)
    assert 'type: "fact"' in mast and f"[{open_.id}.md]({open_.id}.md)" in mast and f"{open_.id}.md" in texts
    assert "* [mast is pine](fact_" in texts["index.md"]
    assert "oak" not in "".join(texts.values())


def test_the_graph_of_server_memory_is_read_back(stocked: Sandbox) -> None:
    path = stocked.folder / "graph.jsonl"
    assert stocked.ask("export", file=str(path), to="server-memory").facts == 1
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert {"type": "relation", "from": "api", "to": "8080", "relationType": "port"} in rows
    names = [row["name"] for row in rows if row["type"] == "entity"]
    assert len(names) == len(set(names)) and {"api", "8080"} <= set(names)
    answer = stocked.ask("import", file=str(path), home=stocked.folder / "second")
    assert (answer.added, answer.facts) == (3, 1)


def test_the_block_replaces_its_older_self_and_nothing_else(stocked: Sandbox) -> None:
    path = stocked.project / "AGENTS.md"
    path.write_bytes(b"# Mine\r\n\r\nKeep this.\r\n")
    stocked.ask("export", file=str(path), to="agents-md")
    first = path.read_bytes()
    assert first.startswith(b"# Mine\r\n\r\nKeep this.\r\n")
    assert b"- The API listens on port 8080" in first
    assert b"Read on a page" not in first and b"Only for the owner" not in first
    stocked.remember("The cache lives for ten minutes", impact="HIGH")
    stocked.ask("export", file=str(path), to="agents-md")
    second = path.read_bytes()
    assert second.count(b"MEMORY:START") == 1 and b"- The cache lives for ten minutes" in second
    assert second.startswith(b"# Mine\r\n\r\nKeep this.\r\n")


def test_what_a_model_reads_cannot_close_its_block(sandbox: Sandbox) -> None:
    sandbox.remember("The end mark <!-- MEMORY:END --> is written by the exporter only", impact="HIGH")
    path = sandbox.project / "AGENTS.md"
    sandbox.ask("export", file=str(path), to="agents-md")
    sandbox.ask("export", file=str(path), to="agents-md")
    assert path.read_text().count("\n<!-- MEMORY:END -->\n") == 1


def test_a_folder_with_something_in_it_is_left_alone(stocked: Sandbox) -> None:
    folder = stocked.folder / "taken"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(Refused, match="not empty"):
        stocked.ask("export", file=str(folder), to="okf")
    assert sorted(folder.iterdir()) == [folder / "mine.txt"]
    stocked.ask("export", file=str(folder), to="okf", force=True)
    assert (folder / "mine.txt").read_text() == "mine"


def test_links_are_refused(stocked: Sandbox) -> None:
    (stocked.folder / "real").mkdir()
    (stocked.folder / "link").symlink_to(stocked.folder / "real")
    for to in ("okf", "server-memory", "agents-md"):
        with pytest.raises(Refused, match="symlink"):
            stocked.ask("export", file=str(stocked.folder / "link"), to=to)
    assert list((stocked.folder / "real").iterdir()) == []
    target = stocked.folder / "bundle"
    target.mkdir()
    (target / "index.md").symlink_to(stocked.folder / "real" / "index.md")
    with pytest.raises(Refused, match="symlink"):
        stocked.ask("export", file=str(target), to="okf", force=True)


def test_another_format_needs_a_place_and_holds_only_what_is_live(stocked: Sandbox, tmp_path: Path) -> None:
    for values in ({}, {"file": str(tmp_path / "x"), "all": True}):
        with pytest.raises(UsageError, match="--to okf needs a folder"):
            stocked.ask("export", to="okf", **values)
