"""The time limits of hooks: how many milliseconds the hook program may take for an event before it ends itself.

A host waits longer than these: Claude Code waits ten minutes for a start, 30 seconds for a prompt, and 1.5 seconds at
the end of a session. `settings.py` declares each as a setting with the default from here; the hook program needs them
before it can afford to load the settings.
"""

from __future__ import annotations

START_MS = 3000
PROMPT_MS = 1500
TOOL_MS = 800
END_MS = 1400
LOCK_MS = 100
"""How long a hook waits for the index if another process has it; then it reads a private copy."""

LIMITS = {"start_ms": START_MS, "prompt_ms": PROMPT_MS, "tool_ms": TOOL_MS, "end_ms": END_MS}
"""The names of the settings in the section `hooks`, with their defaults."""
_NAMES = {
    "SessionStart": "start_ms",
    "SubagentStart": "start_ms",
    "PreCompact": "start_ms",
    "UserPromptSubmit": "prompt_ms",
    "UserPromptExpansion": "prompt_ms",
    "SessionEnd": "end_ms",
}


def limit_name(event: str) -> str:
    """Return the name of the setting that limits an event; `tool_ms` unless the event has a separate limit."""
    return _NAMES.get(event, "tool_ms")
