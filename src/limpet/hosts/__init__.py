"""Describe the agent clients (hosts) that Limpet works with: Claude Code, Codex and Gemini CLI.

Each host has a folder here; its event names, tool names and other constants are in the folder's `__init__.py`. The hook
program loads this package at every tool call, so a host's folder is imported only when it is needed, and its
`__init__.py` imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

HOSTS = ("claude-code", "codex", "gemini")


def names_of(host: str) -> ModuleType:
    """Return the module with the constants of a host, or that of Claude Code if the host is unknown."""
    if host.startswith("gemini"):
        from limpet.hosts import gemini

        return gemini
    if host.startswith("codex"):
        from limpet.hosts import codex

        return codex
    from limpet.hosts import claude_code

    return claude_code
