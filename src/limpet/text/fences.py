"""Tell which lines of a markdown text are inside a fence of code."""

from __future__ import annotations

from limpet.lean.pattern import lazy

_FENCE = lazy(r"(`{3,}+)[^`]*+|(~{3,}+).*+")


def read_fence(line: str, fence: str = "") -> str:
    """Return the fence that is open after a line; empty if none is. `fence` is the one that was open before.

    A fence is closed by at least as many of the same marks, alone on a line. Both may be indented, as in a list.
    """
    bare = line.strip()
    if fence:
        return "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
    opened = _FENCE.fullmatch(bare)
    return (opened[1] or opened[2]) if opened is not None else ""
