"""High-water marks, kept apart from both the journal and the index.

They say how much was once there. If both copies are behind them, something was lost and must be said aloud;
without them, an emptied file looks just like a fresh start. They also remember how the index file looked when we
last wrote it, so that a touch by anybody else is noticed and the index examined before it is believed.
"""

from __future__ import annotations

import json
import os

from limpet import system
from limpet.lean.record import field, mutable

NAME = "marks.json"


@mutable
class Marks:
    records: dict[str, int] = field(default_factory=dict)
    index: tuple[int, int] | None = None
    """Size and modification time of the index file."""
    backup_ms: int = 0


def load(home: str) -> Marks:
    """The marks, or none: a lost or broken marks file costs a check, never a memory."""
    try:
        with open(os.path.join(home, NAME), encoding="utf-8") as file:
            found = json.load(file)
        index = found.get("index")
        return Marks(
            records={str(name): int(count) for name, count in found["records"].items()},
            index=(int(index[0]), int(index[1])) if index else None,
            backup_ms=int(found.get("backup_ms", 0)),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Marks()


def save(home: str, marks: Marks) -> None:
    found = {"records": marks.records, "index": marks.index, "backup_ms": marks.backup_ms}
    system.write_atomically(os.path.join(home, NAME), json.dumps(found).encode(), durable=False)


def look_of(path: str) -> tuple[int, int] | None:
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns
