"""What Limpet knows about each agent client: one folder per host, with all of its names and lists in its `__init__.py`.

The hook program starts at every tool call and loads this package, so a host is imported only when it is needed, and the
modules with those lists import nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

HOSTS = ("claude-code", "codex", "gemini")


def names_of(host: str) -> ModuleType:
    """Return the module with the names and lists of a host; an unknown host is treated like Claude Code."""
    if host.startswith("gemini"):
        from limpet.hosts import gemini

        return gemini
    if host.startswith("codex"):
        from limpet.hosts import codex

        return codex
    from limpet.hosts import claude_code

    return claude_code
