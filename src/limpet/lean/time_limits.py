"""The time limits of hooks: how many milliseconds the hook program may spend on an event before it stops itself.

Hosts wait longer than these limits: Claude Code waits ten minutes at the start of a session, 30 seconds at a prompt,
and 1.5 seconds at the end. Each limit is the default of a setting that `settings.py` declares. The limits are declared
here because the hook program needs them before it loads the settings.
"""

from __future__ import annotations

START_MS = 3000
PROMPT_MS = 1500
TOOL_MS = 800
END_MS = 1400
LOCK_MS = 100
"""How long a hook waits for an index that another process has locked, in milliseconds. Then it reads a private copy."""

LIMITS = {"start_ms": START_MS, "prompt_ms": PROMPT_MS, "tool_ms": TOOL_MS, "end_ms": END_MS}
"""The names of the time limits in the settings section `hooks`, with their defaults in milliseconds."""
_NAMES = {
    "SessionStart": "start_ms",
    "SubagentStart": "start_ms",
    "PreCompact": "start_ms",
    "UserPromptSubmit": "prompt_ms",
    "UserPromptExpansion": "prompt_ms",
    "SessionEnd": "end_ms",
}


def limit_name(event: str) -> str:
    """Return the name of the setting that limits the time for an event; `tool_ms` unless it has its own limit."""
    return _NAMES.get(event, "tool_ms")
