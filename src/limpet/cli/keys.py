"""Read one key from the user: a single press on a terminal, or the first letter of a line where that is impossible."""

from __future__ import annotations

import sys

from limpet.system import terminal

QUIT = "q"
_MEANINGS = {"": QUIT, "\x1b": QUIT, "\x04": QUIT, "\r": "n", "\n": "n", " ": "n"}
"""Keys that mean the same as a letter: Escape and Ctrl-D end, Enter and space go on."""


def read_letter() -> str:
    """Return the pressed key as a lower-case letter; the end of the input and Ctrl-C are `QUIT`."""
    try:
        key = terminal.read_key()
    except KeyboardInterrupt:
        return QUIT
    except OSError:
        key = _read_line()
    return _MEANINGS.get(key, key.lower())


def _read_line() -> str:
    """Return the first letter of the next line, or a line break for an empty one; empty if the input has ended."""
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        return ""
    return line.strip()[:1] or line[:1]
