"""A command counts as typed only if the host's own transcript shows that a person typed it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.hosts.typed import (
    asks_to_remember,
    is_command_to_remember,
    read_typed_prompts,
    read_typed_texts,
    transcript_of,
)
from limpet.model.event import CommandExpanded
from tests.cli.hooks import typed_command

NAME, SAID, SESSION = "limpet:please-remember", "The port is 9090", "s1"


@pytest.fixture
def transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    path = tmp_path / "claude" / "projects" / "shop" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    return path


def read(path: Path, *records: dict[str, object], session: str = SESSION) -> list[str]:
    path.write_text("".join(json.dumps({"sessionId": SESSION, **record}) + "\n" for record in records))
    payload = {"session_id": session, "transcript_path": str(path), "command_name": NAME}
    return list(read_typed_texts(payload, host="claude-code"))


@pytest.mark.parametrize(
    ("name", "arguments", "asks"),
    [(NAME, SAID, True), ("/remember", SAID, True), (NAME, "  ", False), ("limpet:recall", SAID, False)],
)
def test_a_command_asks_to_remember_by_its_name_and_its_text(name: str, arguments: str, asks: bool) -> None:
    event = CommandExpanded(session="s1", at=datetime(2026, 3, 1, tzinfo=UTC), name=name, arguments=arguments)
    assert asks_to_remember(event) is asks


@pytest.mark.parametrize(
    ("prompt", "is_command"),
    [("/limpet:please-remember x", True), ("/remember", True), ("remember x", False), ("", False)],
)
def test_a_prompt_is_a_command_by_its_first_word(prompt: str, is_command: bool) -> None:
    assert is_command_to_remember(prompt) is is_command


def test_what_a_person_typed_is_read_the_newest_first(transcript: Path) -> None:
    assert read(transcript, typed_command(NAME, "one"), typed_command(NAME, "two")) == ["two", "one"]
    waiting: dict[str, object] = {"type": "queue-operation", "operation": "enqueue", "content": f"/{NAME} {SAID}"}
    assert read(transcript, waiting) == [SAID]


@pytest.mark.parametrize(
    "fields", [{"isMeta": True}, {"isSidechain": True}, {"agentId": "a"}, {"type": "assistant"}, {"sessionId": "other"}]
)
def test_what_no_person_typed_is_not_read(transcript: Path, fields: dict[str, object]) -> None:
    assert read(transcript, {**typed_command(NAME, SAID), **fields}) == []


def test_a_transcript_elsewhere_or_of_another_name_proves_nothing(transcript: Path, tmp_path: Path) -> None:
    record = typed_command(NAME, SAID)
    assert read(transcript, record, session="s2") == []
    outside = tmp_path / f"{SESSION}.jsonl"
    assert read(outside, record) == []
    for path in ("", "relative.jsonl", f"/a\0/{SESSION}.jsonl"):
        assert transcript_of({"session_id": SESSION, "transcript_path": path}, host="claude-code") is None


def test_prompts_that_a_person_typed_are_read(transcript: Path) -> None:
    prompt = {"type": "user", "message": {"role": "user", "content": "Use uv here"}, "sessionId": SESSION}
    transcript.write_text(json.dumps(prompt) + "\n")
    payload = {"session_id": SESSION, "transcript_path": str(transcript)}
    assert list(read_typed_prompts(payload, host="claude-code")) == ["Use uv here"]
