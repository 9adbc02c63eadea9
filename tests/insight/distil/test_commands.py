"""A command is proven by a session that ran it, word for word, with success."""

from __future__ import annotations

import json
from pathlib import Path

from limpet.hosts.sessions import RecordedSession, group_sessions
from limpet.insight.distil.commands import find_proven, find_quoted_commands
from tests.learning.sessions import Session


def record_session(folder: Path, project: Path) -> Path:
    """Write a session that runs commands: two succeed, one in a row of commands, and one fails."""
    session = Session(1, project)
    session.prompt("Run the tests")
    session.run("make test-fast", "12 passed")
    session.run("cd src && uv run  pytest -x", "3 passed")
    session.run("make deploy-prod", "no such target", failed=True)
    path = folder / f"{session.id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in session.records), "utf-8")
    return path


def read_sessions(path: Path) -> list[RecordedSession]:
    return group_sessions([("claude-code", str(path))], failed=lambda path, error: None)


def test_only_quoted_commands_are_found() -> None:
    text = "Run `make test-fast` and `uv run pytest -x`, not `pytest` or `Foo bar`; see `src/app.py`"
    assert find_quoted_commands(text) == ["make test-fast", "uv run pytest -x"]


def test_a_command_counts_only_if_it_succeeded(tmp_path: Path) -> None:
    sessions = read_sessions(record_session(tmp_path, tmp_path))
    wanted = ["make test-fast", "uv run pytest -x", "make deploy-prod", "make test"]
    assert find_proven(wanted, sessions) == {"make test-fast", "uv run pytest -x"}
