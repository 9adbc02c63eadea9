"""Read the marks of adopted antigens, which tell a hook whether one of them may be about a tool call.

An antigen is a recurring failure together with a rule against it. A mark is a string that every call the rule is about
contains. A hook runs before every command and edit, and almost none of them concerns an antigen, so this check must not
open the store. The file with the marks is derived from the journal. Upkeep and every decision about an antigen rewrite
it. If the file is missing, no rule is shown before a call.
"""

from __future__ import annotations

import os

MARKS = "antigens.marks"
_LARGEST = 1 << 16


def may_concern(home: str, payload_text: str) -> bool:
    """Tell whether the text of a tool call contains the mark of an adopted antigen."""
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
