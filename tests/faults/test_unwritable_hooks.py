"""Hooks of a store that cannot be written still answer, and say if a text to remember could not be stored."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.hooks import SESSION, Host, typed_command

RULE = "Use pytest, never unittest, for new tests"
PORT = "The staging server listens on port 8443"
ASKED = "The harbour master signs every release"

Unwritable: TypeAlias = Callable[[Host], AbstractContextManager[None]]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Yield a host whose home is on a separate small disk if this is run by root."""
    made = Host(tmp_path)
    is_mounted = os.getuid() == 0 and not _call("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(_disk(made)))
    made.limpet("remember", RULE, "--impact", "HIGH")
    made.limpet("remember", PORT)
    made.fire("SessionStart", source="startup", transcript_path=made.record())
    yield made
    if is_mounted:
        _call("umount", str(_disk(made)))


def _call(*command: str) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


def _disk(host: Host) -> Path:
    host.home.mkdir(mode=0o700, exist_ok=True)
    return host.home


@contextmanager
def limited(host: Host) -> Iterator[None]:
    """Let no hook write a single byte, as on a full disk."""
    host.file_limit = 0
    yield
    host.file_limit = None


@contextmanager
def read_only(host: Host) -> Iterator[None]:
    """Make the home read-only: its disk if this is run by root, who may write everywhere, else its files."""
    if os.getuid() == 0 and not host.home.is_mount():
        pytest.skip("a read-only disk cannot be mounted here")
    paths = [host.home, *host.home.rglob("*")]
    if os.getuid() == 0:
        assert _call("mount", "-o", "remount,ro", str(host.home)) == 0
    for path in paths if os.getuid() else ():
        path.chmod(path.stat().st_mode & ~0o222)
    yield
    if os.getuid() == 0:
        assert _call("mount", "-o", "remount,rw", str(host.home)) == 0
    for path in paths if os.getuid() else ():
        path.chmod(path.stat().st_mode | 0o200)


both = pytest.mark.parametrize("unwritable", [limited, read_only])


def ask_to_remember(host: Host, text: str, *, transcript: str) -> str:
    fields = {"expansion_type": "slash_command", "command_source": "user"}
    return host.context(
        "UserPromptExpansion", command_name="please-remember", command_args=text, transcript_path=transcript, **fields
    )


def record_command(host: Host, text: str, *, session: str = SESSION, ago: int = 0) -> str:
    at = (datetime.now(UTC) - timedelta(seconds=ago)).isoformat()
    return host.record(typed_command("please-remember", text, timestamp=at), session=session)


def origins(host: Host) -> dict[str, str]:
    """Return the origin of each memory by its text."""
    return {row["content"]: row["origin"] for row in json.loads(host.limpet("list", "--json"))["memories"]}


@both
def test_starts_and_prompts_are_answered(host: Host, unwritable: Unwritable) -> None:
    with unwritable(host):
        assert RULE in host.context("SessionStart", source="startup", session_id="another")
        assert PORT in host.context(
            "UserPromptSubmit", prompt="which port does the staging server use?", session_id="third"
        )
        assert host.fire("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response="") == ""
    assert [each["hook_event_name"] for each in host.queued()] == ["SessionStart"]


@both
def test_a_text_to_remember_that_was_not_stored_is_taken_in_when_there_is_room(
    host: Host, unwritable: Unwritable
) -> None:
    transcript = record_command(host, ASKED, ago=5)
    with unwritable(host):
        told = ask_to_remember(host, ASKED, transcript=transcript)
    assert "NOT stored" in told and "taken from the transcript" in told and "Tell the user" in told
    assert ASKED not in origins(host)
    host.fire("UserPromptSubmit", prompt="and now the tests", transcript_path=transcript)
    host.limpet("upkeep")
    assert origins(host)[ASKED] == "agent"
    assert "took a text to remember from the transcript" in (host.home / "limpet.log").read_text()
    # It is taken in once, and not again after it was forgotten.
    host.limpet("forget", next(row.split()[0] for row in host.limpet("list").splitlines() if ASKED in row))
    host.fire("UserPromptSubmit", prompt="and now the docs", transcript_path=transcript)
    host.limpet("upkeep")
    assert ASKED not in origins(host)


def test_a_session_that_ends_while_nothing_can_be_written_is_searched_later(host: Host) -> None:
    transcript = record_command(host, ASKED, ago=5)
    host.fire("UserPromptSubmit", prompt="please look at the release notes", transcript_path=transcript)
    host.limpet("upkeep")
    with limited(host):
        ask_to_remember(host, "Releases are cut on Thursday mornings", transcript=transcript)
        record_command(host, "Releases are cut on Thursday mornings")
        host.fire("SessionEnd", transcript_path=transcript)
    host.fire("SessionStart", source="startup", session_id="another")
    host.limpet("upkeep")
    host.limpet("upkeep")
    assert origins(host)["Releases are cut on Thursday mornings"] == "agent"


def test_without_a_transcript_the_user_is_told_to_ask_again(host: Host) -> None:
    with limited(host):
        told = ask_to_remember(host, ASKED, transcript="/nowhere/transcript.jsonl")
    assert "NOT stored" in told and "ask again later" in told


def test_what_the_queue_has_is_not_taken_from_the_transcript_too(host: Host) -> None:
    transcript = record_command(host, ASKED, ago=5)
    assert "has stored" in ask_to_remember(host, ASKED, transcript=transcript)
    host.fire("Stop", transcript_path=transcript)
    host.limpet("upkeep")
    rows = [row for row in json.loads(host.limpet("list", "--json"))["memories"] if row["content"] == ASKED]
    assert [row["origin"] for row in rows] == ["user"]
