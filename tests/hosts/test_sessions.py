"""Recorded sessions are found, known by the host that wrote them, and read.

Three recordings are of real clients (Codex 0.166, Gemini CLI 0.61) with a scripted model.
"""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from limpet.hosts.outside import is_external
from limpet.hosts.sessions import find_sessions, host_of, read_session
from limpet.hosts.transcript import SkippedLines
from limpet.model.event import (
    PromptSubmitted,
    ToolFinished,
    TurnEnded,
)
from tests.hosts.recorded import (
    AGENT,
    AT,
    HERE,
    SESSION,
    config_folder,
    kinds,
)


def test_transcripts_are_found_oldest_first(tmp_path: Path) -> None:
    home = config_folder(tmp_path)
    project = home / "projects" / "-home-dev-project"
    (project / "memory").mkdir()
    (project / "memory" / "MEMORY.md").write_text("no transcript", "utf-8")
    (project / SESSION / "tool-results").mkdir()
    (project / SESSION / "tool-results" / "x.jsonl").write_text("{}", "utf-8")
    (home / "history.jsonl").write_text("{}", "utf-8")
    order = [project / f"{SESSION}.jsonl", project / SESSION / "subagents" / f"agent-{AGENT}.jsonl"]
    order.append(project / "5e1f4db6-0d56-4e2d-9fa9-64ae90af9e59.jsonl")
    for age, path in enumerate(reversed(order)):
        moment = (AT - timedelta(days=age)).timestamp()
        os.utime(path, (moment, moment))
    assert list(find_sessions(home, host="claude-code")) == order
    assert list(find_sessions(project, host="claude-code")) == order
    assert list(find_sessions(order[0], host="claude-code")) == order[:1]
    assert list(find_sessions(home, since=AT - timedelta(days=1), host="claude-code")) == order[1:]
    assert list(find_sessions(tmp_path / "nowhere", host="claude-code")) == []
    assert list(find_sessions(home, host="claude-code")) == order


def test_the_host_of_a_file_is_known_by_its_name() -> None:
    assert host_of("/x/sessions/2026/09/02/rollout-2026-09-02T14-43-05-01a0.jsonl") == "codex"
    assert host_of("/x/tmp/proj/chats/session-2026-09-02T14-43-01a0.jsonl") == "gemini"
    assert host_of("/x/projects/-home-dev/5e1f.jsonl") == "claude-code"


def recording(name: str, folder: Path) -> Path:
    """Put a recording where its client would keep it."""
    place = folder / "chats" / "session-1.jsonl" if name == "gemini" else folder / f"rollout-{name}.jsonl"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes((HERE / f"{name}.jsonl").read_bytes())
    return place


@pytest.mark.parametrize("name", ["codex", "codex_failed", "gemini"])
def test_a_real_session_gives_the_events_its_hooks_would_have(name: str, tmp_path: Path) -> None:
    skipped = SkippedLines()
    found = list(read_session(recording(name, tmp_path), skipped=skipped))
    assert kinds(found) == ["SessionStarted", "PromptSubmitted", "ToolFinished", "TurnEnded", "SessionEnded"]
    prompt, tool, ended = (each.event for each in found[1:4])
    assert isinstance(prompt, PromptSubmitted) and prompt.text == "How is the tide?"
    assert isinstance(tool, ToolFinished) and tool.input == {"word": "ebb"} and is_external(tool)
    assert isinstance(ended, TurnEnded) and ended.said == "done"
    assert (skipped.broken, skipped.too_long) == (0, 0)


@pytest.mark.parametrize(
    ("name", "output", "failed"),
    [
        ("codex", '{"result":"echoed ebb"}', False),
        ("codex_failed", "MCP tool call requires approval, but approval policy is never", True),
        ("gemini", "echoed ebb", False),
    ],
)
def test_a_real_tool_call_is_reported_by_its_answer_alone(name: str, output: str, failed: bool, tmp_path: Path) -> None:
    found = [each.event for each in read_session(recording(name, tmp_path))]
    (tool,) = (each for each in found if isinstance(each, ToolFinished))
    assert (tool.output, tool.failed) == (output, failed)
