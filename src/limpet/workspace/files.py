"""Reading files that somebody else may have put there: bounded, regular ones only, never outside a folder."""

from __future__ import annotations

import os

from limpet.settings import read_regular


def read(path: str, limit: int) -> bytes | None:
    """The first `limit` bytes of a regular file; None when there is none that can be read."""
    try:
        return read_regular(path, limit)[:limit]
    except (OSError, ValueError):
        return None


def canonical(path: str) -> str | None:
    """The one name of a folder or file, without symlinks; it need not exist. None when it cannot have one."""
    try:
        return os.path.realpath(path) if path else None
    except (OSError, ValueError):
        return None


def is_inside(path: str, folder: str) -> bool:
    """Whether a canonical path lies below a canonical folder; looks at the names only."""
    return path.startswith(os.path.join(folder, ""))


def label(text: str, limit: int) -> str:
    """A name for people: one line, nothing a terminal would obey, not too long."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:limit].strip()
