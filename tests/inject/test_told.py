"""What the host tells its model already is not told again at a start."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.inject.told import read_told

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
    told = read_told(str(project), "claude-code")
    assert "- Use uv, never pip\n" in told and "- Releases are cut on Fridays" in told
    assert "Outside of the block" not in told


def test_a_host_that_imports_nothing_tells_the_block_only(project: Path) -> None:
    told = read_told(str(project), "codex")
    assert "- Use uv, never pip\n" in told and "- Releases are cut on Fridays" not in told


def test_a_host_that_is_not_known_or_has_no_file_tells_nothing(project: Path, tmp_path: Path) -> None:
    assert read_told(str(project), "") == read_told(None, "claude-code") == read_told(str(project), "gemini") == ""


def test_broken_marks_tell_nothing(project: Path) -> None:
    (project / "CLAUDE.md").write_text(BLOCK + BLOCK, "utf-8")
    assert read_told(str(project), "claude-code") == ""
