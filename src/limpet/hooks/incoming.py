"""Decide what to do with a hook event, and write it to the queue. Both the hook program and the server use this module.

The hook program loads this module at every tool call, so most imports are inside the functions that need them.
"""

from __future__ import annotations

import os

from limpet import clock
from limpet.environment import LONGEST_SESSION, environment, home_path, is_own_folder
from limpet.errors import LimpetError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ANSWERED = frozenset(
    (
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PreToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "SubagentStart",
    )
)
"""The events in answer to which the host may be given text for its model."""
QUEUED = frozenset(
    (
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PostToolUse",
        "PostToolUseFailure",
        "PostCompact",
        "Stop",
        "SessionEnd",
    )
)
"""The events that are written to the queue, so that memories can be created from them later."""

# Opening a pipe must not block. Windows has no such flag.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def translate_event_name(name: str, host: str) -> str:
    """Return Limpet's name for a host's event name; an unknown name is returned unchanged."""
    if name in QUEUED or name in ANSWERED:
        return name
    from limpet.hosts import names_of

    return str(names_of(host).EVENTS.get(name, name))


def names_session(payload: Mapping[str, Any], home: str) -> bool:
    """Tell whether a payload names a valid session that was not started by Limpet itself."""
    session, folder = payload.get("session_id"), payload.get("cwd")
    if not isinstance(session, str) or not session.strip():
        return False
    # Nothing could be stored for a session with such an id, and the worker would try again in every round.
    if len(session.strip()) > LONGEST_SESSION or not session.strip().isprintable():
        return False
    return not (isinstance(folder, str) and is_own_folder(folder, home))


def wants_answer(event: str, payload: Mapping[str, Any], home: str) -> bool:
    """Tell whether an event may get an answer, that is, text for the host's model."""
    if event not in ANSWERED:
        return False
    if event == "PreToolUse":
        # A quick check, because it is done before every tool call, and hardly any breaks the rule of an antigen.
        from limpet.lean.rule_marks import may_concern

        return may_concern(home, f"{payload.get('tool_name')} {payload.get('tool_input')}")
    if event != "UserPromptSubmit":
        return True
    from limpet.hosts.prompt_text import is_machine_made

    prompt = payload.get("prompt")
    return isinstance(prompt, str) and not is_machine_made(prompt)


def may_ask_to_remember(payload: Mapping[str, Any], event: str) -> bool:
    """Tell whether an event may be a request to remember something, so that it matters whether a person typed it."""
    return event == "UserPromptExpansion" or "remember" in str(payload.get("prompt", "")).lower()


def queue_event(
    payload: Mapping[str, Any], event: str, host: str, *, home: str, folder: str | None, is_nested: bool, id: str = ""
) -> None:
    """Write an event to the queue without its secrets, if events of its kind are queued; return after it is on disk.

    `folder` is the folder in which the host was started. `is_nested` tells that no person typed the prompt, because
    another agent has started the client, or a program that is not the hook program has sent it. If `id` is given, an
    event that the hook and the server both write is read only once.
    """
    tool = str(payload.get("tool_name", ""))
    if event not in QUEUED or _is_our_tool(tool) or not _is_capture_enabled(home):
        return
    from limpet.hosts import names_of
    from limpet.queue import files as queue
    from limpet.queue.tidy import hash_cut_texts, tidy_payload

    brief = bool(tool) and tool in names_of(host).CONTENT_TOOLS
    now = clock.now_ms()
    seen: dict[str, Any] = {
        "at": now,
        "host": host,
        "dir": folder,
        "payload": tidy_payload(payload, brief=brief),
        "left_out": hash_cut_texts(payload, brief=brief),
    }
    if is_nested:
        seen["nested"] = True
    if id:
        seen["id"] = id
    queue.append(home, str(payload["session_id"]), seen, now_ms=now)


def _is_our_tool(tool: str) -> bool:
    if not tool.startswith("mcp_"):
        return False
    from limpet.hosts.own_names import is_our_tool

    return is_our_tool(tool)


def _is_capture_enabled(home: str) -> bool:
    """Tell whether the settings allow capture, that is, queuing events to learn from them."""
    if not may_be_set("capture", home):
        return True
    from limpet.settings import load

    return load(home=home).capture.enabled


def may_be_set(section: str, home: str | None = None) -> bool:
    """Tell whether the user may have changed a setting in a section. If not, the settings need not be loaded."""
    prefix = f"LIMPET_{section.upper()}__"
    if any(name.startswith(prefix) for name in environment()):
        return True
    try:
        fd = os.open(os.path.join(home or home_path(), "config.toml"), _READ)
    except (OSError, LimpetError):
        return False
    try:
        return section.encode() in os.read(fd, 1 << 18)
    except OSError:
        return False
    finally:
        os.close(fd)
