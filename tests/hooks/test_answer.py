"""The same event gets the same answer, whoever asks: the hook program calls this, and a server can."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet import clock, system
from limpet.hooks.answer import answer
from tests.operations.sandbox import Sandbox, git_folder, isolate_environment

RULE = "Use pytest, never unittest, for new tests"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    made = Sandbox(tmp_path)
    monkeypatch.setenv("LIMPET_HOME", str(made.home))
    return made


def ask(sandbox: Sandbox, event: str, *, host: str = "claude-code", **fields: object) -> str:
    payload = {"session_id": "s1", "cwd": str(sandbox.project), "hook_event_name": event, **fields}
    printed = answer(payload, event, host)
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


def test_a_start_is_answered_with_the_memories_of_the_project(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.remember(RULE, impact="HIGH")
    assert RULE in ask(sandbox, "SessionStart", source="startup")
    other = tmp_path / "other"
    other.mkdir()
    assert ask(sandbox, "SessionStart", source="startup", cwd=str(other)) == ""


def test_what_the_host_tells_from_its_own_notes_is_not_told_again(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    sandbox.remember("Deploy only from the release branch", impact="HIGH")
    folder = sandbox.folder / "nobody" / ".claude" / "projects" / "-shop"
    (folder / "memory").mkdir(parents=True)
    note = folder / "memory" / "MEMORY.md"
    note.write_text(f"# Notes\n\n- {RULE}.\n", "utf-8")
    before = note.stat()
    told = ask(sandbox, "SessionStart", source="startup", transcript_path=str(folder / "s1.jsonl"))
    assert RULE not in told and "release branch" in told
    assert (note.read_text("utf-8"), note.stat().st_mtime_ns) == (f"# Notes\n\n- {RULE}.\n", before.st_mtime_ns)
    note.unlink()
    assert RULE in ask(sandbox, "SessionStart", source="compact", transcript_path=str(folder / "s1.jsonl"))


class SteppedClock:
    """A clock that moves only when somebody pauses, and counts how long that was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waited = 0
        monkeypatch.setattr(clock, "pause", self.pause)
        monkeypatch.setattr(clock, "monotonic_ms", lambda: self.waited)

    def pause(self, milliseconds: int) -> None:
        self.waited += milliseconds


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "which framework for new tests?"}),
        ("UserPromptExpansion", {"command_name": "remember", "command_args": "The linter is ruff"}),
    ],
)
def test_a_lock_that_another_process_keeps_costs_at_most_a_tenth_of_a_second(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, event: str, fields: dict[str, str]
) -> None:
    sandbox.remember(RULE, impact="HIGH")
    # As if another program had touched the index: then it is checked, which needs the lock once more.
    os.utime(sandbox.home / "index.db", (1, 1))
    passing = SteppedClock(monkeypatch)
    with system.lock(str(sandbox.home / "locks" / "apply")) as is_held:
        assert is_held
        assert ask(sandbox, event, **fields)
    assert 0 < passing.waited <= 100


def test_a_start_in_a_folder_that_proves_nothing_is_answered_with_one_line(sandbox: Sandbox, tmp_path: Path) -> None:
    git_folder(sandbox.project, origin="https://example.org/rock", born="rock")
    sandbox.remember(RULE, impact="HIGH")
    other = str(git_folder(tmp_path / "other", origin="https://example.org/rock", born="other"))
    told = ask(sandbox, "SessionStart", source="startup", cwd=other)
    assert told.startswith("Limpet: this folder says that it is a project")
    assert "`limpet confirm --project`" in told
    assert ask(sandbox, "UserPromptSubmit", prompt="Should new tests use pytest or unittest?", cwd=other) == ""


def test_an_event_without_an_answer_prints_nothing(sandbox: Sandbox) -> None:
    sandbox.remember(RULE)
    assert ask(sandbox, "PostCompact", compact_summary="nothing") == ""
    assert ask(sandbox, "UserPromptSubmit", prompt="how warm is the water today in Oslo?") == ""


def test_a_command_stores_what_follows_it_and_says_whose_word_it_is(sandbox: Sandbox) -> None:
    told = ask(
        sandbox,
        "UserPromptExpansion",
        command_name="please-remember",
        command_args=RULE,
        expansion_type="slash_command",
    )
    assert "word for word" in told
    [stored] = sandbox.json("list")["memories"]
    assert (stored["content"], stored["origin"]) == (RULE, "agent")
    assert "names no transcript" in told
    again = ask(
        sandbox,
        "UserPromptExpansion",
        command_name="please-remember",
        command_args=RULE,
        expansion_type="slash_command",
    )
    assert "knew this already" in again


def test_where_injection_is_off_nothing_is_said(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember(RULE, impact="HIGH")
    monkeypatch.setenv("LIMPET_INJECT__ENABLED", "false")
    assert ask(sandbox, "SessionStart", source="startup") == ""


def test_a_start_does_not_repeat_what_the_host_loads_itself(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    sandbox.ask("distil", yes=True)
    later = "Migrations run with alembic"
    sandbox.remember(later, impact="HIGH")
    told = ask(sandbox, "SessionStart", source="startup")
    assert later in told and RULE not in told
    # Codex loads another file, which has no block.
    assert RULE in ask(sandbox, "SessionStart", source="startup", host="codex", session_id="s2")
