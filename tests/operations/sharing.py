"""A project whose memories are shared in files, for the tests of the shared folder."""

from __future__ import annotations

from pathlib import Path

from tests.operations.sandbox import Sandbox


def share(sandbox: Sandbox) -> Path:
    """Share the memories of the project, and return the folder with their files."""
    sandbox.ask("share")
    return memories(sandbox.project)


def memories(project: Path) -> Path:
    """Return the folder with the files of the memories of a project."""
    return project / ".claude" / "ltm" / "memories"


def names(project: Path) -> set[str]:
    """Return the names of the files of the memories."""
    return {path.stem for path in memories(project).glob("*.md")} - {"index"}


def edit(path: Path, old: str, new: str) -> None:
    """Change the content of a file, but not its summary."""
    head, mark, body = path.read_text().partition("## Content\n")
    assert old in body
    path.write_text(head + mark + body.replace(old, new))
