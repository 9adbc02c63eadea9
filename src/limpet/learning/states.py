"""What learning must keep of a session between two batches, in files beside the queue.

The state is written before its batch, together with the state before it: whichever of the two cursors the journal
names after a crash, its state is there. Where it is missing all the same, the events up to the cursor are judged again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from limpet import system
from limpet.capture.state import SegmentState, from_json, to_json
from limpet.errors import from_os_error
from limpet.lean import quickjson
from limpet.lean.record import record
from limpet.queue import files as queue

KEEP_DAYS = 30
"""A session that is resumed after longer than this is learnt from as a new one."""

Cursor = Mapping[str, int]
"""How far each file of a source was used."""


@record
class SavedState:
    """The state after the events up to a cursor."""

    cursor: Cursor
    state: SegmentState
    is_summarised: bool = False
    """Whether the summary of a session that simply stopped was made."""

    def encode(self) -> dict[str, object]:
        return {"cursor": dict(self.cursor), "state": to_json(self.state), "summarised": self.is_summarised}


class SessionStates:
    """The saved states of one session; nothing is written where `saves` is off, as in a dry run."""

    def __init__(self, home: str, name: str, *, saves: bool = True) -> None:
        self._path = os.path.join(queue.states(home), f"{name}.json")
        self._saves = saves
        self._last: SavedState | None = None

    def find(self, cursor: Cursor) -> SegmentState | None:
        """Return the state that was saved for a cursor; a session goes on with its state in the file of a new day."""
        saved = _read(self._path)
        fits = [each for each in saved if dict(each.cursor) == dict(cursor)]
        fits = fits or [each for each in saved[-1:] if _is_day_before(each.cursor, cursor)]
        if not fits:
            return None
        self._last = fits[0]
        return fits[0].state

    def newest(self) -> SavedState | None:
        """Return what was saved last."""
        return next(reversed(_read(self._path)), None)

    def save(self, cursor: Cursor, state: SegmentState, *, is_summarised: bool = False) -> None:
        """Write the state for a cursor, and keep the one before it."""
        if not self._saves:
            return
        saved = SavedState(cursor=dict(cursor), state=state, is_summarised=is_summarised)
        kept = [each.encode() for each in (self._last, saved) if each is not None]
        try:
            for folder in (os.path.dirname(os.path.dirname(self._path)), os.path.dirname(self._path)):
                system.private_directory(folder)
            system.write_atomically(self._path, quickjson.dumps(kept).encode(), durable=False)
        except OSError as error:
            raise from_os_error(error, "learn") from error
        self._last = saved

    def remove(self) -> None:
        """Delete the states of a session that was read to its end: what it said is in its memories, nowhere else."""
        if self._saves and os.path.exists(self._path):
            os.unlink(self._path)


def _is_day_before(saved: Cursor, cursor: Cursor) -> bool:
    """Tell whether `cursor` is the beginning of a later file of the queue."""
    names = [*saved, *cursor]
    return all(map(queue.is_name, names)) and not any(cursor.values()) and max(saved) < min(cursor)


def _read(path: str) -> list[SavedState]:
    try:
        with open(path, encoding="ascii") as file:
            found = quickjson.loads(file.read())
    except (OSError, ValueError):
        return []
    rows = found if isinstance(found, list) else []
    return [
        SavedState(cursor=row["cursor"], state=from_json(row.get("state")), is_summarised=bool(row.get("summarised")))
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("cursor"), dict)
    ]


def remove_old(home: str, now_ms: int) -> None:
    """Delete the states of sessions that nobody has resumed for long: they are made of their texts."""
    for path in system.walk_files(queue.states(home)):
        saved = next(reversed(_read(path)), None)
        days = [name for name in saved.cursor if queue.is_name(name)] if saved else []
        # Only the holder of the worker lock writes here, so a temporary file belongs to a process that died.
        if path.endswith(".tmp") or (days and all(queue.is_over(name, now_ms, days=KEEP_DAYS) for name in days)):
            os.unlink(path)


def remove_all(home: str) -> None:
    """Delete every state: a purge cannot tell whose texts they are made of."""
    for path in system.walk_files(queue.states(home)):
        os.unlink(path)
