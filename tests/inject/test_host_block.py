"""What the host tells its model already is not told again at a start."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.inject.host_block import read_host_block

BLOCK = "<!-- MEMORY:START -->\n@.claude/memory/MEMORY.md\n- Use uv, never pip\n<!-- MEMORY:END -->\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("CLAUDE.md", "AGENTS.md"):
        (tmp_path / name).write_text(f"- Outside of the block\n{BLOCK}", "utf-8")
    memory = tmp_path / ".claude" / "memory" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("## Facts\n- Use uv, never pip\n- Releases are cut on Fridays (3 observations)\n", "utf-8")
    return tmp_path


def test_the_block_and_its_reference_are_read(project: Path) -> None:
    told = read_host_block(str(project), "claude-code")
    assert "- Use uv, never pip\n" in told and "- Releases are cut on Fridays" in told
    assert "Outside of the block" not in told


def test_a_host_that_imports_nothing_tells_the_block_only(project: Path) -> None:
    told = read_host_block(str(project), "codex")
    assert "- Use uv, never pip\n" in told and "- Releases are cut on Fridays" not in told


def test_a_host_that_is_not_known_or_has_no_file_tells_nothing(project: Path, tmp_path: Path) -> None:
    assert (
        read_host_block(str(project), "")
        == read_host_block(None, "claude-code")
        == read_host_block(str(project), "gemini")
        == ""
    )


def test_broken_marks_tell_nothing(project: Path) -> None:
    (project / "CLAUDE.md").write_text(BLOCK + BLOCK, "utf-8")
    assert read_host_block(str(project), "claude-code") == ""


@pytest.mark.parametrize("path", ["../secret.md", "/etc/hostname", ".claude/../../secret.md"])
def test_a_file_outside_the_project_is_not_read(project: Path, path: str) -> None:
    (project.parent / "secret.md").write_text("- A secret note of the folder above\n", "utf-8")
    block = BLOCK.replace(".claude/memory/MEMORY.md", path)
    (project / "CLAUDE.md").write_text(block, "utf-8")
    told = read_host_block(str(project), "claude-code").splitlines()
    assert [line for line in told if line and not line.startswith(("<!--", "@"))] == ["- Use uv, never pip"]


def test_only_the_first_reference_is_followed(project: Path) -> None:
    (project / "second.md").write_text("- A second file\n", "utf-8")
    (project / "CLAUDE.md").write_text(BLOCK.replace("- Use uv", "@second.md\n- Use uv"), "utf-8")
    assert "A second file" not in read_host_block(str(project), "claude-code")
