"""Read files that may be hostile: only regular files, and only up to a limit."""

from __future__ import annotations

import os

from limpet.system import read_regular


def read_file(path: str, limit: int) -> bytes | None:
    """Return the first `limit` bytes of a regular file; None if the file cannot be read."""
    try:
        return read_regular(path, limit)[:limit]
    except (OSError, ValueError):
        return None


def canonical_path(path: str) -> str | None:
    """Return a path without symlinks, whether or not it exists; None for a string that cannot be a path."""
    try:
        return os.path.realpath(path) if path else None
    except (OSError, ValueError):
        return None


def is_inside(path: str, folder: str) -> bool:
    """Tell whether a canonical path is below a canonical folder, by their names alone."""
    return path.startswith(os.path.join(folder, ""))


def clean_label(text: str, limit: int) -> str:
    """Return a text as a name for people: one line, no control characters, at most `limit` characters."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:limit].strip()
