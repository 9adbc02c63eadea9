"""Read files that may be hostile, and check paths and names."""

from __future__ import annotations

import os

from limpet.system import read_regular


def read_file(path: str, limit: int) -> bytes | None:
    """Return the first `limit` bytes of a file; None if it is not a regular file or cannot be read."""
    try:
        return read_regular(path, limit)[:limit]
    except (OSError, ValueError):
        return None


def canonical_path(path: str) -> str | None:
    """Return a path with all symlinks resolved, even if it does not exist; None if the string cannot be a path."""
    try:
        return os.path.realpath(path) if path else None
    except (OSError, ValueError):
        return None


def is_inside(path: str, folder: str) -> bool:
    """Tell whether a path is below a folder. Only the strings are compared, so both must be canonical."""
    return path.startswith(os.path.join(folder, ""))


def clean_label(text: str, limit: int) -> str:
    """Return a text as one printable line of at most `limit` characters, for display to people."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:limit].strip()
