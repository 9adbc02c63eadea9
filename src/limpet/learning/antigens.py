"""Record when the agent breaks the rule of an adopted antigen, and whether the user objects.

An antigen is a recurring failure together with a rule against it. It is adopted when a person accepts the rule.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from limpet import system
from limpet.lean.marks import MARKS
from limpet.model.antigen import Antigen, AntigenDecision
from limpet.workspace.files import read_file


def write_marks(home: str, antigens: Iterable[Antigen]) -> None:
    """Write the marks of the adopted antigens to a file.

    Marks are strings by which a hook finds calls that an antigen may apply to. The file is written only if it has
    changed. If writing fails, hooks use the old file until the next attempt.
    """
    marks = sorted({each.pattern.mark for each in antigens if each.decision is AntigenDecision.ADOPTED})
    text, path = "".join(f"{mark}\n" for mark in marks), os.path.join(home, MARKS)
    with contextlib.suppress(OSError):
        if not text:
            if os.path.lexists(path):
                os.unlink(path)
        elif (read_file(path, len(text.encode()) + 1) or b"") != text.encode():
            system.write_atomically(path, text.encode(), durable=False)
