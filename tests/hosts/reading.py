"""Short ways to read payloads as a host would send them, and values of any kind to put into them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from limpet.hosts.events import read_event
from limpet.model.event import Reported, ToolFinished
from tests.hosts.recorded import AT

ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def read_payload(payload: Any, host: str = "claude-code") -> Reported | None:
    return read_event(payload, host=host, at=AT)


def read_gemini(name: str, **more: Any) -> Reported | None:
    return read_payload({"hook_event_name": name, "session_id": "g", "cwd": "/p", "timestamp": "x", **more}, "gemini")


def read_tool_call(name: str, given: Any, answer: Any, host: str = "claude-code", **more: Any) -> ToolFinished:
    """Return the event of a tool call that a hook reports."""
    event = "AfterTool" if host == "gemini" else "PostToolUse"
    payload = {"hook_event_name": event, "session_id": "s", "cwd": "/home/dev/project"}
    found = read_payload({**payload, "tool_name": name, "tool_input": given, "tool_response": answer, **more}, host)
    assert isinstance(found, ToolFinished)
    return found
