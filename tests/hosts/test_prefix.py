"""A hook speaks only where its host then sends the earlier request again, byte for byte, with the text behind it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.hooks.incoming import ANSWERED
from limpet.hosts import HOSTS, names_of
from limpet.hosts.prefix import keeps_prefix, read_version

EVERYWHERE = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "SubagentStart", "PreCompact")


def transcript(folder: Path, *records: object) -> str:
    path = folder / "session.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return str(path)


def record(version: object, **more: object) -> dict[str, object]:
    return {"type": "user", "uuid": "1", "sessionId": "s", "version": version, **more}


@pytest.mark.parametrize("event", EVERYWHERE)
def test_events_that_no_version_breaks_need_no_version(event: str) -> None:
    assert keeps_prefix({}, event, host="claude-code")


@pytest.mark.parametrize(
    ("version", "keeps"),
    [("2.1.40", False), ("2.1.223", False), ("2.1.227", False), ("2.1.228", True), ("2.1.325", True), ("3.0.1", True)],
)
@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
def test_after_a_tool_only_versions_that_keep_the_prefix_are_answered(
    tmp_path: Path, event: str, version: str, keeps: bool
) -> None:
    payload = {"transcript_path": transcript(tmp_path, record(version))}
    assert keeps_prefix(payload, event, host="claude-code") is keeps


@pytest.mark.parametrize("path", [None, 7, "", "relative.jsonl", "/nowhere/session.jsonl", "/\0", os.sep])
def test_a_version_that_is_not_known_counts_as_one_that_breaks_it(path: object) -> None:
    assert not keeps_prefix({"transcript_path": path}, "PostToolUseFailure", host="claude-code")


@pytest.mark.parametrize("version", [None, 2.1, "", "unknown", "2.1", "2.1.x", "9" * 5000, "-1.0.0", "².1.1"])
def test_a_version_that_cannot_be_read_is_not_known(tmp_path: Path, version: object) -> None:
    assert read_version(transcript(tmp_path, record(version))) is None


def test_the_version_is_the_one_that_runs_now(tmp_path: Path) -> None:
    """A session can be resumed with a newer client, or with an older one."""
    path = transcript(tmp_path, record("2.1.325"), record("2.1.223"), {"type": "last-prompt", "sessionId": "s"})
    assert read_version(path) == (2, 1, 223)


def test_a_version_inside_a_result_of_a_tool_is_not_the_clients(tmp_path: Path) -> None:
    result = {"version": "9.9.9", "name": "pnpm"}
    path = transcript(tmp_path, record("2.1.223", toolUseResult=result), {"type": "progress", "data": result})
    assert read_version(path) == (2, 1, 223)


def test_a_long_line_at_the_end_hides_no_version(tmp_path: Path) -> None:
    path = transcript(tmp_path, record("2.1.325"), {"type": "attachment", "text": "x" * 1_000_000})
    assert read_version(path) == (2, 1, 325)


def test_a_pre_release_counts_as_its_version(tmp_path: Path) -> None:
    assert read_version(transcript(tmp_path, record("2.2.0-beta.1"))) == (2, 2, 0)


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe")
    assert read_version(str(tmp_path / "pipe")) is None


@pytest.mark.parametrize("host", HOSTS)
def test_the_table_of_a_host_has_every_event_that_is_answered(host: str) -> None:
    names = names_of(host)
    answered = {name for name, event in names.EVENTS.items() if event in ANSWERED} - {"PreCompact", "PreCompress"}
    assert answered <= set(names.CONTEXT_EVENTS)


def test_where_nobody_has_looked_a_host_is_told_nothing() -> None:
    assert not keeps_prefix({}, "PostToolUseFailure", host="codex")
    assert not keeps_prefix({}, "BeforeTool", host="gemini")
