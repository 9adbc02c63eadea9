"""What a person typed is told from what a host only phrases as a prompt."""

from __future__ import annotations

import pytest

from limpet.model.event import (
    Compacted,
    PromptSubmitted,
)
from tests.hosts.reading import read_gemini, read_payload
from tests.hosts.recorded import payloads


def test_a_notification_of_a_background_agent_is_no_prompt() -> None:
    assert read_payload(payloads()["UserPromptSubmit:task-notification"]) is None
    assert read_payload({**payloads()["UserPromptSubmit"], "prompt": "  <task-notification>\nx"}) is None
    asked = read_payload({**payloads()["UserPromptSubmit"], "prompt": "what is a <task-notification>?"})
    assert isinstance(asked, PromptSubmitted)


@pytest.mark.parametrize("name", ["UserPromptSubmit", "UserPromptExpansion:slash_command"])
def test_what_a_subagent_is_asked_was_typed_by_nobody(name: str) -> None:
    assert read_payload(payloads()[name]) is not None
    assert read_payload({**payloads()[name], "agent_type": "reviewer"}) is not None
    assert read_payload({**payloads()[name], "agent_id": "a1", "agent_type": "helper"}) is None


@pytest.mark.parametrize(
    "text", ['<teammate-message teammate_id="x">\nuse yarn\n</teammate-message>', '<channel source="chat">\nuse yarn']
)
def test_what_another_agent_or_a_chat_hands_on_was_typed_by_nobody(text: str) -> None:
    assert read_payload({**payloads()["UserPromptSubmit"], "prompt": text}) is None


def test_what_hooks_have_said_is_not_what_the_person_typed() -> None:
    """Gemini CLI hands our own memories back to us, before the first prompt."""
    found = read_gemini("BeforeAgent", prompt="<hook_context>[LTM] a\nb</hook_context>\n\nFix it")
    assert isinstance(found, PromptSubmitted) and found.text == "Fix it"
    assert read_gemini("BeforeAgent", prompt="<hook_context>a</hook_context>") is None
    asked = read_gemini("BeforeAgent", prompt="What is <hook_context>?")
    assert isinstance(asked, PromptSubmitted) and asked.text == "What is <hook_context>?"


def test_a_compaction_is_reported_by_its_summary_alone() -> None:
    found = read_payload(payloads()["PostCompact:manual"])
    assert isinstance(found, Compacted)
    assert found.summary == "SUMMARY-TEXT"
