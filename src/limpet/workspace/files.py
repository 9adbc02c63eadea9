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
    """Tell whether a path is below a folder, by comparing the strings; both must be canonical."""
    return path.startswith(os.path.join(folder, ""))


def clean_label(text: str, limit: int) -> str:
    """Return text as one line without control characters, cut to `limit` characters, for showing to people."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:limit].strip()
