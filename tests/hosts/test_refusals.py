"""Calls that never ran are no failures of the agent."""

from __future__ import annotations

import pytest

from limpet.hosts.refusals import was_cancelled_with_others, was_refused_by_guard

REFUSED = (
    "PreToolUse:Bash hook error: [python3 guard.py]: git push is not allowed here",
    "PreToolUse:Write hook stopped continuation: configuration",
    "Hook PreToolUse:Bash denied this tool",
    "Permission to use Bash with command rm -rf / has been denied.",
    "Command blocked by PreToolUse hook: policy. Command: printf x",
    "Error: PreToolUse:Bash hook error",
)
CANCELLED = ("Cancelled: parallel tool call Bash(ls) errored", "Sibling tool call errored")
FAILED = (
    "Exit code 1\nPreToolUse: unknown",
    "bash: /etc/shadow: Permission denied",
    "Traceback (most recent call last)",
)


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_by_a_guard_is_recognised(text: str) -> None:
    assert was_refused_by_guard(text) and not was_cancelled_with_others(text)


@pytest.mark.parametrize("text", CANCELLED)
def test_a_call_that_was_cancelled_with_others_is_recognised(text: str) -> None:
    assert was_cancelled_with_others(text) and not was_refused_by_guard(text)


@pytest.mark.parametrize("text", FAILED)
def test_a_failure_is_neither(text: str) -> None:
    assert not was_refused_by_guard(text) and not was_cancelled_with_others(text)
