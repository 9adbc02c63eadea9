"""At the first start after a backfill, the model is asked once to go through the notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.curating.decisions import Sitting
from limpet.curating.waiting import list_notes
from limpet.inject.review_offer import FILE
from limpet.runtime import open_runtime
from limpet.text.tokens import count_tokens
from tests.cli.hooks import Host
from tests.learning.sessions import make

MARK = "notes from earlier sessions wait for a decision"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return a host with a server of ours, in which backfill has noted something."""
    host = Host(tmp_path)
    (tmp_path / ".claude.json").write_text('{"mcpServers": {"limpet": {}}}')
    make(tmp_path / ".claude", [host.project], 2)
    host.limpet("backfill")
    return host


def start(host: Host, session: str = "s1", **fields: object) -> str:
    return host.context("SessionStart", source="startup", session_id=session, **fields)


def test_the_first_start_asks_once(host: Host) -> None:
    told = start(host)
    [line] = [each for each in told.splitlines() if MARK in each]
    assert "at most ten with review_notes" in line and count_tokens(line) <= 80
    assert told.endswith(line)
    assert MARK not in start(host, "s2")
    host.limpet("backfill")
    assert MARK not in start(host, "s3")


def test_new_notes_of_a_later_backfill_are_asked_about_again(host: Host) -> None:
    start(host)
    make(host.project.parent / ".claude", [host.project], 2, first=2)
    host.limpet("backfill")
    assert MARK in start(host, "s2")


def test_neither_a_resumed_session_nor_a_compaction_is_asked(host: Host) -> None:
    for source in ("resume", "compact"):
        assert MARK not in host.fire("SessionStart", source=source, session_id="s1")
    assert MARK in start(host, "s2")


def test_another_project_is_not_asked(host: Host) -> None:
    other = host.project.parent / "other"
    other.mkdir()
    host.environment["CLAUDE_PROJECT_DIR"] = str(other)
    assert MARK not in host.fire("SessionStart", source="startup", cwd=str(other), session_id="s1")
    host.environment["CLAUDE_PROJECT_DIR"] = str(host.project)
    assert MARK in start(host, "s2")


def test_without_a_server_the_model_is_not_asked(host: Host) -> None:
    (host.project.parent / ".claude.json").unlink()
    assert MARK not in start(host)


def test_the_setting_of_the_nudge_switches_it_off(host: Host) -> None:
    host.limpet("config", "inject.nudge", "false")
    assert MARK not in start(host)


def test_if_everything_is_decided_nobody_is_asked(host: Host) -> None:
    runtime = open_runtime(home=str(host.home), cwd=str(host.project))
    Sitting(runtime, {"proof": "terminal"}).decide(drop=list_notes(runtime, limit=100).items)
    runtime.close()
    assert MARK not in start(host)
    assert json.loads((host.home / FILE).read_text()) == []


def test_a_damaged_file_is_no_obstacle(host: Host) -> None:
    (host.home / FILE).write_text("{")
    assert MARK not in start(host)
