"""Write the marks by which a hook finds the tool calls that may break a rule (`lean/rule_marks.py`)."""

from __future__ import annotations

import contextlib
import os

from limpet import system
from limpet.doors.context import Context
from limpet.inject.select import is_rule
from limpet.lean.record import replace
from limpet.lean.rule_marks import MARKS
from limpet.model.antigen import AntigenDecision
from limpet.model.memory import Tier
from limpet.model.query import Query
from limpet.model.rule_check import derive_check
from limpet.workspace.files import read_file

_MOST_RULES = 1_000


def write_marks(context: Context) -> None:
    """Write the marks of the adopted antigens and of the newest kept rules of all projects to a file.

    The file is written only if it has changed. If writing fails, hooks use the old file until the next attempt.
    """
    reading = context.reading()
    marks = {each.pattern.mark.lower() for each in reading.antigens(None) if each.decision is AntigenDecision.ADOPTED}
    scope = replace(context.scope, every_project=True)
    rules = reading.browse(Query(scope=scope, tier=Tier.KEPT, now=context.now(), limit=_MOST_RULES)).items
    checks = (derive_check(stored.memory.content) for stored in rules if is_rule(stored))
    marks.update(mark for check in checks if check is not None for mark in check.marks)
    text, path = "".join(f"{mark}\n" for mark in sorted(marks)), os.path.join(context.settings.home, MARKS)
    with contextlib.suppress(OSError):
        if not text:
            if os.path.lexists(path):
                os.unlink(path)
        elif (read_file(path, len(text.encode()) + 1) or b"") != text.encode():
            system.write_atomically(path, text.encode(), durable=False)
