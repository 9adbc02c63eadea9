"""Unsharing removes the files and forgets nothing, whatever was edited last."""

from __future__ import annotations

import os

import pytest

from limpet.errors import Refused
from tests.operations.sandbox import MODEL, Sandbox
from tests.operations.sharing import edit, share


def test_unsharing_removes_the_files_and_forgets_nothing(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic", as_=MODEL)
    folder = share(sandbox)
    (folder / "own.md").write_text("<<<<<<< a\n=======\n>>>>>>> b\n")
    path = folder / f"{memory.id}.md"
    sandbox.ask("sync")
    path.write_text(path.read_text().replace("alembic", "atlas"))
    planned = sandbox.ask("unshare", dry_run=True)
    answer = sandbox.ask("unshare")
    assert planned.files == answer.files == (memory.id,)
    assert answer.left == (os.path.join(".claude", "ltm", "memories", "own.md"),)
    assert "Migrations run with atlas" in sandbox.texts("list")
    (folder / "own.md").unlink()


def test_unsharing_leaves_an_edit_of_a_confirmed_memory_in_its_file(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic")
    path = share(sandbox) / f"{memory.id}.md"
    edit(path, "alembic", "atlas")
    assert sandbox.ask("unshare").left == (os.path.relpath(path, sandbox.project),)
    assert "atlas" in path.read_text()
    assert sandbox.texts("list") == ["Migrations run with alembic"]


def test_unsharing_leaves_no_trace_in_the_repository(sandbox: Sandbox) -> None:
    sandbox.remember("Migrations run with alembic")
    share(sandbox)
    sandbox.ask("unshare")
    assert list((sandbox.project / ".claude").rglob("*")) == []


def test_only_a_person_can_unshare(sandbox: Sandbox) -> None:
    sandbox.remember("Migrations run with alembic")
    folder = share(sandbox)
    with pytest.raises(Refused, match="person"):
        sandbox.ask("unshare", as_=MODEL)
    assert len(list(folder.glob("mem_*.md"))) == 1


def test_there_must_be_something_to_remove(sandbox: Sandbox) -> None:
    with pytest.raises(Refused, match="nothing to remove"):
        sandbox.ask("unshare")
