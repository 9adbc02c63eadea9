"""Convert the payload of a hook, the JSON object that a host sends, to an event.

A newer host may send other events and fields. Unknown ones are ignored, and no payload raises an exception.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.hosts import names_of
from limpet.hosts.payload import first_text, mapping_of, message_text, text_of
from limpet.hosts.prompts import parse_summary, typed_text
from limpet.hosts.typed import is_command_to_remember
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import Any

    Reader = Callable[[dict[str, Any], str, datetime], Reported | None]

__all__ = ["event_name", "read_event", "reports_compactions"]


def event_name(payload: Mapping[str, Any], *, host: str) -> str:
    """Return the name of a payload's event, as Claude Code names it; an empty string if the payload has no name."""
    name = text_of(payload.get("hook_event_name")) if isinstance(payload, Mapping) else ""
    found: str = names_of(host).EVENTS.get(name, name)
    return found


def reports_compactions(host: str) -> bool:
    """Tell whether a hook of the host reports that a conversation was compacted."""
    return "PostCompact" in names_of(host).EVENTS.values()


def read_event(payload: Mapping[str, Any], *, host: str, at: datetime) -> Reported | None:
    """Convert a payload to an event that happened at the time `at`.

    Return None if the event is unknown, belongs to no session, or contains nothing that Limpet uses.
    """
    read = _READERS.get(event_name(payload, host=host))
    session = text_of(payload.get("session_id")).strip() if read else ""
    return read(dict(payload), session, at) if read and session else None


def _read_session_start(payload: dict[str, Any], session: str, at: datetime) -> Reported:
    source = text_of(payload.get("source")) or "startup"
    return SessionStarted(session=session, at=at, source=source, transcript=_find_transcript(payload))


def _read_prompt(payload: dict[str, Any], session: str, at: datetime) -> Reported | None:
    # The prompt of a sub-agent was written by the agent.
    text = "" if payload.get("agent_id") else typed_text(text_of(payload.get("prompt")))
    return PromptSubmitted(session=session, at=at, text=text) if text and not is_command_to_remember(text) else None


def _read_command(payload: dict[str, Any], session: str, at: datetime) -> Reported | None:
    name = text_of(payload.get("command_name")).lstrip("/")
    arguments = text_of(payload.get("command_args"))
    is_typed = bool(name) and not payload.get("agent_id")
    return CommandExpanded(session=session, at=at, name=name, arguments=arguments) if is_typed else None


def _read_tool_result(payload: dict[str, Any], session: str, at: datetime) -> Reported | None:
    tool = text_of(payload.get("tool_name"))
    if not tool:
        return None
    # Loaded here, as the hooks that a host waits for report no tool.
    from limpet.hosts.results import make_tool_event
    from limpet.hosts.tools import qualify_tool

    failed = payload.get("hook_event_name") == "PostToolUseFailure"
    server = first_text(mapping_of(payload.get("mcp_context")), "server_name")
    return make_tool_event(
        session=session,
        at=at,
        tool=qualify_tool(server, tool),
        given=payload.get("tool_input"),
        answer=message_text(payload.get("error")) if failed else payload.get("tool_response"),
        cwd=text_of(payload.get("cwd")),
        failed=failed,
        interrupted=payload.get("is_interrupt") is True,
        subagent=_find_subagent(payload) or None,
    )


def _read_tool_proposal(payload: dict[str, Any], session: str, at: datetime) -> Reported | None:
    found = _read_tool_result(payload, session, at)
    if not isinstance(found, ToolFinished):
        return None
    return ToolProposed(session=session, at=at, tool=found.tool, command=found.command, files=found.files_modified)


def _read_turn_end(payload: dict[str, Any], session: str, at: datetime) -> Reported:
    return TurnEnded(session=session, at=at, said=first_text(payload, "last_assistant_message", "prompt_response"))


def _read_subagent_start(payload: dict[str, Any], session: str, at: datetime) -> Reported:
    return SubagentStarted(session=session, at=at, subagent=_find_subagent(payload))


def _read_compaction(payload: dict[str, Any], session: str, at: datetime) -> Reported:
    return Compacted(session=session, at=at, summary=parse_summary(text_of(payload.get("compact_summary"))))


def _read_session_end(payload: dict[str, Any], session: str, at: datetime) -> Reported:
    return SessionEnded(session=session, at=at, reason=text_of(payload.get("reason")))


def _find_subagent(payload: dict[str, Any]) -> str:
    return first_text(payload, "agent_id", "agent_type")


def _find_transcript(payload: dict[str, Any]) -> str | None:
    return text_of(payload.get("transcript_path")) or None


_READERS: dict[str, Reader] = {
    "SessionStart": _read_session_start,
    "UserPromptSubmit": _read_prompt,
    "UserPromptExpansion": _read_command,
    "PreToolUse": _read_tool_proposal,
    "PostToolUse": _read_tool_result,
    "PostToolUseFailure": _read_tool_result,
    "Stop": _read_turn_end,
    "SubagentStart": _read_subagent_start,
    "PostCompact": _read_compaction,
    "SessionEnd": _read_session_end,
}
