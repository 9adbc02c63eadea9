"""Tell which lines of a markdown text are inside a fenced code block."""

from __future__ import annotations

from limpet.lean.pattern import lazy

_FENCE = lazy(r"(`{3,}+)[^`]*+|(~{3,}+).*+")


def read_fence(line: str, fence: str = "") -> str:
    """Return the code fence that is open after a line, or an empty string if none is.

    `fence` is the code fence that was open before the line. It is closed by a line of at least as many of the same
    characters. Both lines may be indented, as in a list.
    """
    bare = line.strip()
    if fence:
        return "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
    opened = _FENCE.fullmatch(bare)
    return (opened[1] or opened[2]) if opened is not None else ""
