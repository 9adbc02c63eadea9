"""What a hook's payload becomes, whichever host sent it and whatever it holds."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts.events import event_name
from limpet.hosts.outside import is_external
from limpet.model.event import (
    CommandExpanded,
    Compacted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from tests.hosts.reading import ANY, read_gemini, read_payload, read_tool_call
from tests.hosts.recorded import AT, payloads

REPORTED: dict[str, type[Reported]] = {
    "PostCompact:manual": Compacted,
    "PostToolUse:Agent": ToolFinished,
    "PostToolUse:Bash": ToolFinished,
    "PostToolUse:Read": ToolFinished,
    "PostToolUse:Skill": ToolFinished,
    "PostToolUse:ToolSearch": ToolFinished,
    "PostToolUse:mcp__plugin_probe_mem__store_memory": ToolFinished,
    "PostToolUseFailure:Bash": ToolFinished,
    "PostToolUseFailure:mcp__plugin_probe_mem__boom": ToolFinished,
    "PreToolUse": ToolProposed,
    "SessionEnd": SessionEnded,
    "SessionStart:compact": SessionStarted,
    "SessionStart:resume": SessionStarted,
    "SessionStart:startup": SessionStarted,
    "Stop": TurnEnded,
    "SubagentStart": SubagentStarted,
    "UserPromptExpansion:mcp_prompt": CommandExpanded,
    "UserPromptExpansion:slash_command": CommandExpanded,
    "UserPromptSubmit": PromptSubmitted,
}


@pytest.mark.parametrize("name", sorted(payloads()))
def test_each_recorded_payload_is_read_as_what_it_reports(name: str) -> None:
    payload = payloads()[name]
    found = read_payload(payload)
    if name in REPORTED:
        assert type(found) is REPORTED[name]
        assert found is not None and found.session == payload["session_id"] and found.at == AT
    else:
        assert found is None


def test_codex_sends_the_payloads_of_claude_code() -> None:
    for payload in payloads().values():
        assert read_payload(payload, "codex") == read_payload(payload)


def test_a_session_is_reported_with_its_source_and_transcript() -> None:
    found = read_payload(payloads()["SessionStart:resume"])
    assert isinstance(found, SessionStarted)
    assert found.source == "resume"
    assert found.transcript is not None and found.transcript.endswith("11111111-2222-4333-8444-555555555555.jsonl")


def test_a_command_is_reported_with_its_arguments() -> None:
    found = read_payload(payloads()["UserPromptExpansion:slash_command"])
    assert isinstance(found, CommandExpanded)
    assert (found.name, found.arguments) == ("probe:remember", "alpha beta")


def test_a_failed_tool_is_reported_with_its_error() -> None:
    found = read_payload(payloads()["PostToolUseFailure:Bash"])
    assert isinstance(found, ToolFinished)
    assert found.failed and not found.interrupted
    assert found.command == "ls /nonexistent-dir-x"
    assert found.output.startswith("Exit code 2\nls: cannot access")


def test_a_tool_within_a_subagent_names_it() -> None:
    found = read_payload({**payloads()["PostToolUse:Bash"], "agent_id": "a1", "agent_type": "helper"})
    assert isinstance(found, ToolFinished) and found.subagent == "a1"


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_what_the_other_hosts_really_send_is_read(host: str) -> None:
    found = [read_payload(payload, host) for payload in payloads(host).values()]
    started, prompt, finished, ended = found
    assert isinstance(started, SessionStarted) and isinstance(ended, SessionEnded)
    assert isinstance(prompt, PromptSubmitted) and prompt.text == "How is the tide?"
    assert isinstance(finished, ToolFinished) and is_external(finished)
    assert (finished.output, finished.input, finished.failed) == ("echoed ebb", {"word": "ebb"}, False)


def test_the_names_of_gemini_cli_are_mapped() -> None:
    assert read_gemini("SessionStart", source="startup") == SessionStarted(session="g", at=AT)
    assert read_gemini("BeforeAgent", prompt="hello") == PromptSubmitted(session="g", at=AT, text="hello")
    assert read_gemini("AfterAgent", prompt="hello", prompt_response="hi") == TurnEnded(session="g", at=AT, said="hi")
    assert read_gemini("SessionEnd", reason="exit") == SessionEnded(session="g", at=AT, reason="exit")
    assert read_gemini("BeforeModel", llm_request={}) is None


def test_what_gemini_cli_might_compress_is_not_compacted_yet() -> None:
    """It fires before every turn; were it taken for a compaction, each turn would end with a summary."""
    assert read_gemini("PreCompress", trigger="auto") is None
    assert event_name({"hook_event_name": "PreCompress"}, host="gemini") == "PreCompact"


def test_a_payload_without_a_session_reports_nothing() -> None:
    nobody: list[Any] = [None, "", "  ", 7, [], {}]
    for session in nobody:
        assert read_payload({**payloads()["Stop"], "session_id": session}) is None


def test_a_text_that_no_file_can_hold_is_made_fit() -> None:
    found = read_tool_call("Bash", {"command": "echo \ud800", "more": ["\udfff"]}, {"stdout": "\ud800 \x00 fine"})
    str(found).encode()
    found.output.encode()


FIELDS = (
    *("session_id", "cwd", "prompt", "source", "transcript_path", "tool_name", "tool_input", "tool_response", "error"),
    *(
        "is_interrupt",
        "agent_id",
        "agent_type",
        "last_assistant_message",
        "prompt_response",
        "compact_summary",
        "reason",
    ),
    *("command_name", "command_args", "mcp_context", "hook_event_name"),
)


NAMES = (
    *("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse", "PostToolUseFailure", "Stop"),
    *("SubagentStart", "PostCompact", "SessionEnd", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "New"),
)


TOOLS = ("Bash", "Read", "Edit", "Grep", "WebFetch", "Task", "TodoWrite", "apply_patch", "mcp__a__b", "recall", "Odd")


@given(
    st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=10),
    st.sampled_from(NAMES),
    st.sampled_from(("claude-code", "codex", "gemini", "other")),
)
def test_no_payload_makes_reading_fail(fields: dict[str, Any], name: str, host: str) -> None:
    found = read_payload({"session_id": "s", **fields, "hook_event_name": name}, host)
    if isinstance(found, ToolFinished):
        is_external(found)
    read_payload({**fields, "hook_event_name": fields}, host)


@pytest.mark.parametrize("payload", [None, 7, "text", ["list"], b"bytes"])
def test_a_value_that_is_not_a_payload_reports_nothing(payload: Any) -> None:
    assert read_payload(payload) is None


def test_importing_the_event_reader_is_cheap() -> None:
    """It is loaded at every tool call."""
    code = (
        "import sys; import limpet.hosts.events, limpet.hosts.hook_output;"
        "print([each for each in ('dataclasses', 'typing', 're', 'json', 'pathlib', 'inspect') if each in sys.modules])"
    )
    source = [each for each in sys.path if each.endswith("src")]
    code = f"import sys; sys.path[:0] = {source or ['src']!r}; " + code
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
