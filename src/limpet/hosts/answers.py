"""Format the output of a hook so that its text reaches the model; the output is empty where a host would reject it."""

from __future__ import annotations

from limpet.hosts import names_of
from limpet.hosts.payload import text_of

MOST_CHARACTERS = 9_500
"""The maximum number of characters of text. At 10,000 or more, a host shows the model a file name instead."""

CUT_AT = 10_000


def context_answer(event_name: str, text: str, *, host: str) -> str:
    """Return the hook output that gives the model `text`; empty where an answer would do harm or be ignored.

    `event_name` is the host's own name. At PreCompact Claude Code adds plain text to the summariser's instructions and
    shows an error for JSON. At Stop a text makes the turn continue, and at SessionEnd it fails validation.
    """
    answer = _answer(event_name, text_of(text), host) if text else ""
    if answer and (len(text) > MOST_CHARACTERS or len(answer) >= CUT_AT):
        raise ValueError(f"{len(text)} characters at {event_name!r} are more than a host takes: cut the text first")
    return answer


def _answer(event_name: str, text: str, host: str) -> str:
    names = names_of(host)
    if event_name in names.PLAIN_TEXT_EVENTS:
        return text
    if event_name not in names.CONTEXT_EVENTS:
        return ""
    from limpet.lean import quickjson

    said = {"hookEventName": event_name, "additionalContext": text}
    return quickjson.dumps({"hookSpecificOutput": said}, is_ascii=False, spaced=True)
