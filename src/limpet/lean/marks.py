"""The texts by which a hook tells whether an adopted antigen may be about a call, without opening the store.

A hook runs before every command and edit, and almost none of them concerns an antigen. The file is derived from the
journal: upkeep and every decision about an antigen rewrite it. Without the file nothing is told at a call.
"""

from __future__ import annotations

import os

MARKS = "antigens.marks"
_LARGEST = 1 << 16


def may_concern(home: str, payload_text: str) -> bool:
    """Tell whether the text of a call contains the mark of an adopted antigen."""
    try:
        fd = os.open(os.path.join(home, MARKS), os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        marks = os.read(fd, _LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return False
    finally:
        os.close(fd)
    return any(mark in payload_text for mark in marks if mark)
