"""A recorded session is read as its hooks would have reported it."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.hosts.sessions import Replay, find_session_files, group_sessions
from tests.learning.sessions import SECRET, Session, make, story, subagent, write
from tests.learning.test_from_recordings import Yard
from tests.operations.sandbox import files_with, isolate_environment


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Yard:
    isolate_environment(monkeypatch, tmp_path)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    return Yard(tmp_path)


def _unexpected(path: str, error: OSError) -> None:
    raise AssertionError(path) from error


def test_sub_agents_belong_to_their_session_in_the_order_of_time(yard: Yard) -> None:
    session = Session(1, yard.project)
    story(session)
    main, helper = write(session, yard.config), subagent(session, yard.config)
    [recorded] = group_sessions(find_session_files([("claude-code", str(yard.config))]), failed=_unexpected)
    assert [file.path for file in recorded.files] == [str(main), str(helper)]
    seen = list(Replay(recorded, {}))
    assert {each.event.session for each in seen} == {session.id}
    assert [each.event.at for each in seen] == sorted(each.event.at for each in seen)
    assert {each.path for each in seen} == {str(main), str(helper)}
    assert yard.fill().found == 1
    found = yard.json("list", limit=500)["memories"]
    [fixed] = [memory for memory in found if "Mailer1" in memory["content"] and memory["type"] == "bugfix"]
    assert fixed["source"] == {"transcript": str(main)}, "its line is one of another file"
    assert len(yard.json("list", type="session_summary")["memories"]) == 1


def test_no_secret_of_a_transcript_reaches_the_disk(yard: Yard) -> None:
    make(yard.config, yard.projects, 6)
    assert any(SECRET in path.read_text("utf-8") for path in yard.config.rglob("*.jsonl"))
    yard.fill(dry_run=True)
    yard.fill()
    assert files_with(SECRET, yard.home) == []
    assert any("REDACTED" in str(each) for each in yard.kept())


def test_what_limpet_said_itself_is_not_learnt(yard: Yard) -> None:
    session = Session(2, yard.project)
    session.prompt("What is known of the mailer?")
    told = "We decided to use argparse instead of click because start-up counts."
    session.tool("mcp__limpet__recall", {"query": "mailer"}, told)
    session.run("limpet list", told)
    write(session, yard.config)
    yard.fill()
    assert not any("argparse" in text for text in yard.texts())
