"""What a hook must print for its text to reach the model; what a host would take amiss is not printed at all."""

from __future__ import annotations

from limpet.hosts.payload import text_of

MOST_CHARACTERS = 9_500
"""Of text. A host that is given 10,000 or more shows the model a file name instead."""

CUT_AT = 10_000

_TAKES_CONTEXT = frozenset(
    (
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStart",
    )
)
_GEMINI_TAKES_CONTEXT = frozenset(("SessionStart", "BeforeAgent", "AfterTool"))


def context_answer(event_name: str, text: str, *, host: str) -> str:
    """The answer that gives the model `text`, or nothing where an answer would do harm or is thrown away.

    `event_name` is the host's own. At PreCompact Claude Code adds plain text to the summariser's instructions and shows
    an error for JSON. At Stop a text makes the turn go on, and at SessionEnd it fails validation.
    """
    answer = _answer(event_name, text_of(text), host) if text else ""
    if answer and (len(text) > MOST_CHARACTERS or len(answer) >= CUT_AT):
        raise ValueError(f"{len(text)} characters at {event_name!r} are more than a host takes: cut the text first")
    return answer


def _answer(event_name: str, text: str, host: str) -> str:
    gemini = host.startswith("gemini")
    if event_name == "PreCompact" and host.startswith("claude"):
        return text
    if event_name not in (_GEMINI_TAKES_CONTEXT if gemini else _TAKES_CONTEXT):
        return ""
    import json

    said = {"hookEventName": event_name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": said}, ensure_ascii=False)
