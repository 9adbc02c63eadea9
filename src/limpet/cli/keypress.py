"""Read one key from the user: a single press on a terminal, otherwise the first letter of a line."""

from __future__ import annotations

import sys

from limpet.system import single_keys

QUIT = "q"
_SPECIAL_KEYS = {"": QUIT, "\x1b": QUIT, "\x04": QUIT, "\r": "n", "\n": "n", " ": "n"}
"""The letter that a special key means: `q` for Escape, Ctrl-D or the end of the input, `n` for Enter or space."""


def read_letter() -> str:
    """Wait for a key and return it as a lower-case letter; return `QUIT` at the end of the input and on Ctrl-C."""
    try:
        key = single_keys.read_key()
    except KeyboardInterrupt:
        return QUIT
    except OSError:
        key = _read_line()
    return _SPECIAL_KEYS.get(key, key.lower())


def _read_line() -> str:
    """Return the first letter of the next line, a line break for an empty line, or an empty string at end of input."""
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        return ""
    return line.strip()[:1] or line[:1]
