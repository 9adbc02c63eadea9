"""Which lines of an instruction file are statements, and which are code."""

from __future__ import annotations

from pathlib import Path

from limpet.insight.drift.difference import Difference
from limpet.insight.drift.examine import examine_instructions
from limpet.workspace.objects import Objects
from limpet.workspace.trees import Tree, open_tree
from tests.imports.samples import write
from tests.workspace.repositories import git, repository


def commit(folder: Path, **files: str) -> Tree:
    for name, text in files.items():
        write(folder / name, text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "next")
    found = open_tree(Objects(str(folder / ".git")), git(folder, "rev-parse", "HEAD"))
    assert found is not None
    return found


def test_a_fence_within_a_fence_is_code_to_its_own_end(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    repository(folder)
    base = commit(folder, **{"CLAUDE.md": "# Guide\n", "Makefile": "lint:\n\truff\n"})
    guide = (
        "# Guide\n\n````md\nthis is code one\n```\nthis is code two\n\nmake lint\n```\nthis is code three\n````\n"
        "a statement comes after it\n~~~\nthis is code four\n```\nthis is code five\n"
    )
    head = commit(folder, **{"CLAUDE.md": guide, "Makefile": "test:\n\tpytest\n"})
    findings, added = examine_instructions(Difference(base, head))
    assert [(each.text, each.line) for each in added] == [("a statement comes after it", 12)]
    assert [(each.text, each.line) for each in findings] == [("make lint", 8)]
