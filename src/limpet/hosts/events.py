"""Convert the payload of a hook, the JSON object that a host sends, to an event.

A newer host may send other events and fields. Unknown ones are ignored, and no payload raises an exception.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.hosts import names_of
from limpet.hosts.payload import first_text, mapping_of, message_text, text_of
from limpet.hosts.prompt_text import parse_summary, typed_text
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
    from datetime import datetime
    from typing import Any

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
    if not isinstance(payload, Mapping) or not (session := text_of(payload.get("session_id")).strip()):
        return None
    match event_name(payload, host=host):
        case "SessionStart":
            source = text_of(payload.get("source")) or "startup"
            transcript = text_of(payload.get("transcript_path")) or None
            return SessionStarted(session=session, at=at, source=source, transcript=transcript)
        case "UserPromptSubmit":
            # The prompt of a sub-agent was written by the agent.
            text = "" if payload.get("agent_id") else typed_text(text_of(payload.get("prompt")))
            is_prompt = bool(text) and not is_command_to_remember(text)
            return PromptSubmitted(session=session, at=at, text=text) if is_prompt else None
        case "UserPromptExpansion":
            name = text_of(payload.get("command_name")).lstrip("/")
            arguments = text_of(payload.get("command_args"))
            is_typed = bool(name) and not payload.get("agent_id")
            return CommandExpanded(session=session, at=at, name=name, arguments=arguments) if is_typed else None
        case "PreToolUse":
            call = _read_tool_result(payload, session, at)
            return call and ToolProposed(
                session=session, at=at, tool=call.tool, command=call.command, files=call.files_modified
            )
        case "PostToolUse" | "PostToolUseFailure":
            return _read_tool_result(payload, session, at)
        case "Stop":
            said = first_text(payload, "last_assistant_message", "prompt_response")
            return TurnEnded(session=session, at=at, said=said)
        case "SubagentStart":
            return SubagentStarted(session=session, at=at, subagent=_find_subagent(payload))
        case "PostCompact":
            summary = parse_summary(text_of(payload.get("compact_summary")))
            return Compacted(session=session, at=at, summary=summary)
        case "SessionEnd":
            return SessionEnded(session=session, at=at, reason=text_of(payload.get("reason")))
        case _:
            return None


def _read_tool_result(payload: Mapping[str, Any], session: str, at: datetime) -> ToolFinished | None:
    tool = text_of(payload.get("tool_name"))
    if not tool:
        return None
    # Loaded here, as the hooks that a host waits for report no tool.
    from limpet.hosts.results import make_tool_event
    from limpet.hosts.tool_actions import qualify_tool

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


def _find_subagent(payload: Mapping[str, Any]) -> str:
    return first_text(payload, "agent_id", "agent_type")
