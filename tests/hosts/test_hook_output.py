"""What a hook prints reaches the model, or is not printed at all."""

from __future__ import annotations

import pytest

from limpet.hosts.hook_output import context_answer


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "SubagentStart", "PostToolUse"])
def test_context_is_answered_in_the_form_that_hosts_accept(name: str) -> None:
    for host in ("claude-code", "codex"):
        assert context_answer(name, 'a "b"\né', host=host) == (
            f'{{"hookSpecificOutput": {{"hookEventName": "{name}", "additionalContext": "a \\"b\\"\\né"}}}}'
        )


def test_gemini_cli_is_answered_under_its_own_names() -> None:
    assert '"hookEventName": "BeforeAgent"' in context_answer("BeforeAgent", "x", host="gemini")
    assert context_answer("PreCompress", "x", host="gemini") == ""


@pytest.mark.parametrize("name", ["Stop", "SessionEnd", "SubagentStop", "PostCompact", "Unheard"])
def test_where_an_answer_would_do_harm_there_is_none(name: str) -> None:
    assert context_answer(name, "text", host="claude-code") == ""


def test_before_a_compaction_the_answer_is_plain_text() -> None:
    assert context_answer("PreCompact", "keep the names", host="claude-code") == "keep the names"


def test_nothing_to_say_is_no_answer() -> None:
    assert context_answer("SessionStart", "", host="claude-code") == ""


def test_an_answer_that_a_host_would_hide_is_refused() -> None:
    assert len(context_answer("SessionStart", "é" * 9_500, host="claude-code")) < 10_000
    with pytest.raises(ValueError, match="cut the text"):
        context_answer("SessionStart", "x" * 9_501, host="claude-code")
    with pytest.raises(ValueError, match="cut the text"):
        context_answer("SessionStart", '"' * 9_000, host="claude-code")
