"""Which instruction files are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import Refused
from limpet.insight.distil.plan import find_targets


def test_claude_md_is_written_where_it_is(tmp_path: Path) -> None:
    assert find_targets(str(tmp_path), agents=False, gemini=False) == ["CLAUDE.md"]
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "CLAUDE.md").touch()
    assert find_targets(str(tmp_path), agents=False, gemini=True) == [".claude/CLAUDE.md", "GEMINI.md"]
    (tmp_path / "CLAUDE.md").touch()
    assert find_targets(str(tmp_path), agents=True, gemini=False) == ["CLAUDE.md", "AGENTS.md"]


def test_a_link_between_two_of_them_is_written_once(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").touch()
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    assert find_targets(str(tmp_path), agents=True, gemini=False) == ["CLAUDE.md"]


def test_a_link_to_agents_md_needs_the_option(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").touch()
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert find_targets(str(tmp_path), agents=True, gemini=False) == ["AGENTS.md"]
    with pytest.raises(Refused, match="--agents"):
        find_targets(str(tmp_path), agents=False, gemini=False)
