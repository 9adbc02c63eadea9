"""Store high-water marks, apart from both the journal and the view.

They say how many records each segment once had. If journal and view are both behind them, something was lost and the
user must be told; without them, an emptied file looks just like a fresh start. The same file remembers how the index
file looked when we last wrote it, so that a touch by any other program is noticed and the index is checked before it
is trusted, and when the last backup was made.
"""

from __future__ import annotations

import json
import os

from limpet import system
from limpet.lean.record import field, mutable

NAME = "marks.json"

FileStamp = tuple[int, int]
"""Size and modification time of a file."""


@mutable
class HighWater:
    """The number of records each segment has had, the stamp of the index file, and the time of the last backup."""

    records: dict[str, int] = field(default_factory=dict)
    index: FileStamp | None = None
    backup_ms: int = 0


def load(home: str) -> HighWater:
    """Return the high-water marks, empty if there are none: a lost or broken file costs a check, never a memory."""
    try:
        with open(os.path.join(home, NAME), encoding="utf-8") as file:
            found = json.load(file)
        index = found.get("index")
        return HighWater(
            records={str(name): int(count) for name, count in found["records"].items()},
            index=(int(index[0]), int(index[1])) if index else None,
            backup_ms=int(found.get("backup_ms", 0)),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return HighWater()


def save(home: str, marks: HighWater) -> None:
    """Replace the high-water marks."""
    found = {"records": marks.records, "index": marks.index, "backup_ms": marks.backup_ms}
    system.write_atomically(os.path.join(home, NAME), json.dumps(found).encode(), durable=False)


def stamp_of(path: str) -> FileStamp | None:
    """Return the stamp of a file, or None if it cannot be asked."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns
