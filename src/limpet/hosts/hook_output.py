"""Format text for the model as the output of a hook, in the form that the host expects."""

from __future__ import annotations

from limpet.hosts import names_of
from limpet.hosts.payload import text_of

MOST_CHARACTERS = 9_500
"""The maximum length of a text for the model, in characters."""
CUT_AT = 10_000
"""The minimum length of a hook's output, in characters, for which the host shows the model a file name instead."""


def context_answer(event_name: str, text: str, *, host: str, notice: str = "") -> str:
    """Return the hook output that passes `text` to the model, and shows `notice` to the person.

    Return an empty string if the host ignores both at this event. `event_name` is the host's name of the event. Raise
    ValueError if the text is too long.
    """
    answer = _format_answer(event_name, text_of(text), notice, host) if text or notice else ""
    if answer and (len(text) > MOST_CHARACTERS or len(answer) >= CUT_AT):
        raise ValueError(f"{len(text)} characters at {event_name!r} are more than a host takes: cut the text first")
    return answer


def _format_answer(event_name: str, text: str, notice: str, host: str) -> str:
    names = names_of(host)
    # At PreCompact, Claude Code adds plain text to the instructions of the summariser, and shows an error for JSON.
    # Text at Stop would make it continue the turn, and text at SessionEnd would be rejected.
    if event_name in names.PLAIN_TEXT_EVENTS:
        return text
    answer: dict[str, object] = {}
    if notice and event_name in names.NOTICE_EVENTS:
        answer["systemMessage"] = notice
    if text and event_name in names.CONTEXT_EVENTS:
        answer["hookSpecificOutput"] = {"hookEventName": event_name, "additionalContext": text}
    if not answer:
        return ""
    from limpet.lean import quickjson

    return quickjson.dumps(answer, is_ascii=False, spaced=True)
