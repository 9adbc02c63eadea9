"""Read the marks that tell a hook whether a tool call may break an adopted antigen's rule or another kept rule.

An antigen is a recurring failure together with a rule against it. A mark is a string in lower case that a call contains
if it breaks the rule. A hook runs before every command and edit, and almost none of them breaks a rule, so this check
must not open the store. The file with the marks is derived from the journal. Upkeep and every decision about an antigen
rewrite it. If the file is missing, no rule is shown with a call.
"""

from __future__ import annotations

import os

MARKS = "rules.marks"
_LARGEST = 1 << 16


def may_concern(home: str, payload_text: str) -> bool:
    """Tell whether the text of a tool call contains the mark of a rule."""
    try:
        # Opening a pipe must not block. Windows has no such flag.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        fd = os.open(os.path.join(home, MARKS), flags)
    except OSError:
        return False
    try:
        marks = os.read(fd, _LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return False
    finally:
        os.close(fd)
    lowered = payload_text.lower()
    return any(mark in lowered for mark in marks if mark)
