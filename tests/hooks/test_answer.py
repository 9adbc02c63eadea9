"""The same event gets the same answer, whoever asks: the hook program calls this, and a server can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.hooks.answer import answer
from tests.operations.sandbox import Sandbox, isolate_environment

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


def test_an_event_without_an_answer_prints_nothing(sandbox: Sandbox) -> None:
    sandbox.remember(RULE)
    assert ask(sandbox, "PostCompact", compact_summary="nothing") == ""
    assert ask(sandbox, "UserPromptSubmit", prompt="how warm is the water today in Oslo?") == ""


def test_a_typed_command_stores_what_follows_it_as_the_users(sandbox: Sandbox) -> None:
    told = ask(
        sandbox,
        "UserPromptExpansion",
        command_name="please-remember",
        command_args=RULE,
        expansion_type="slash_command",
    )
    assert "word for word" in told
    [stored] = sandbox.json("list")["memories"]
    assert (stored["content"], stored["origin"]) == (RULE, "user")
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
