"""`limpet import --native`: the notes of Claude Code as memories of this project."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import UsageError
from limpet.model.memory import Origin
from tests.operations.sandbox import Sandbox


@pytest.fixture
def notes(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder with the notes for the project of the sandbox."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in str(sandbox.project))
    folder = sandbox.folder / "nobody" / ".claude" / "projects" / name / "memory"
    folder.mkdir(parents=True)
    index = "# Notes\n- [Port](port.md): which port\n- Always run the linter before a commit\n- short one\n"
    (folder / "MEMORY.md").write_text(index, "utf-8")
    (folder / "port.md").write_text("---\ndescription: Which port the API has\n---\nThe API has port 8080.\n", "utf-8")
    return folder


def test_notes_become_memories_that_are_trusted_like_an_import(sandbox: Sandbox, notes: Path) -> None:
    before = {path: path.read_bytes() for path in notes.iterdir()}
    assert sandbox.ask("import", native=True).added == 2
    found = {stored.memory.content: stored.memory for stored in sandbox.ask("list").items}
    assert set(found) == {"Always run the linter before a commit", "The API has port 8080."}
    assert {memory.origin for memory in found.values()} == {Origin.IMPORT}
    assert found["The API has port 8080."].title == "Which port the API has"
    assert {path: path.read_bytes() for path in notes.iterdir()} == before


def test_a_second_run_adds_nothing_and_a_dry_run_writes_nothing(sandbox: Sandbox, notes: Path) -> None:
    assert sandbox.ask("import", native=True, dry_run=True).added == 2
    assert sandbox.ask("list").total == 0
    sandbox.ask("import", native=True)
    again = sandbox.ask("import", native=True)
    assert (again.added, again.duplicates) == (0, 2)


def test_no_project_is_given_the_notes_of_another(sandbox: Sandbox, notes: Path) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    with pytest.raises(UsageError, match="has no notes"):
        sandbox.ask("import", native=True, cwd=other)


def test_a_file_or_the_notes_but_not_both(sandbox: Sandbox, notes: Path) -> None:
    for values in ({}, {"file": "x.jsonl", "native": True}):
        with pytest.raises(UsageError, match="or --native"):
            sandbox.ask("import", **values)
