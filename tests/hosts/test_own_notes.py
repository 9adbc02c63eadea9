"""The notes of hosts are read where the hosts keep them, and never written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from limpet.hosts.own_notes import read_told_at_start
from tests.operations.sandbox import isolate_environment


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    isolate_environment(monkeypatch, tmp_path)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "nobody"


def notes(home: Path, text: str, name: str = "MEMORY.md") -> dict[str, Any]:
    """Write a note of Claude Code, and return a payload of that project."""
    folder = home / ".claude" / "projects" / "-srv-shop"
    (folder / "memory").mkdir(parents=True, exist_ok=True)
    (folder / "memory" / name).write_text(text, "utf-8")
    return {"transcript_path": str(folder / "s-1.jsonl"), "session_id": "s-1"}


def test_the_index_is_read_as_far_as_claude_code_tells_it(home: Path) -> None:
    payload = notes(home, "".join(f"- line {number}\n" for number in range(300)))
    told = read_told_at_start(payload, host="claude-code").splitlines()
    assert len(told) == 200 and told[-1] == "- line 199"


def test_notes_that_are_switched_off_are_not_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    payload = notes(home, "- use pytest\n")
    (home / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}', "utf-8")
    assert read_told_at_start(payload, host="claude-code") == ""
    (home / ".claude" / "settings.json").unlink()
    assert read_told_at_start(payload, host="claude-code") == "- use pytest"
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    assert read_told_at_start(payload, host="claude-code") == ""


def test_codex_has_one_summary(home: Path) -> None:
    folder = home / ".codex" / "memories"
    folder.mkdir(parents=True)
    (folder / "memory_summary.md").write_text("- use pytest\n", "utf-8")
    payload = {"transcript_path": str(home / ".codex" / "sessions" / "2026" / "rollout-x.jsonl")}
    assert read_told_at_start(payload, host="codex") == "- use pytest\n"


@pytest.mark.parametrize("path", ["", "relative/s.jsonl", "/nonexistent/s.jsonl", "/a\0b/s.jsonl", None, 7])
def test_without_notes_there_is_nothing(home: Path, path: Any) -> None:
    for host in ("claude-code", "codex", "gemini"):
        assert read_told_at_start({"transcript_path": path}, host=host) == ""
