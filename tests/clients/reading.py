"""Finds Limpet's blocks in what a model was given."""

from __future__ import annotations

from tests.clients.model import Asked


def at_start(asked: Asked) -> str:
    """Return what stands between the marks of a session's start, or nothing."""
    return _between(asked.text, "[LTM:", "[/LTM]")


def at_prompt(asked: Asked) -> str:
    """Return what was added for one prompt, or nothing."""
    return _between(asked.text, "<memory-context", "</memory-context>")


def _between(text: str, begin: str, end: str) -> str:
    _, mark, rest = text.partition(begin)
    inside, closed, _ = rest.partition(end)
    assert bool(mark) == bool(closed), f"a block that is not closed: {rest[:200]}"
    return inside
