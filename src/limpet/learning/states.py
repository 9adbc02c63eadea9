"""The state of each session between two batches of learning, saved in files beside the queue.

The state is written before its batch, together with the state before it: whichever of the two cursors the journal names
after a crash, its state is there. If a state is missing nevertheless, the events up to the cursor are judged again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from limpet import system
from limpet.capture.state import SegmentState, decode_segment_state, encode_segment_state
from limpet.lean import quickjson
from limpet.lean.record import record
from limpet.model.scope import Scope
from limpet.queue import files as queue

KEEP_DAYS = 30
"""A session that is resumed after more days than this is treated as a new one."""

Cursor = Mapping[str, int]
"""The position up to which each file of a source was processed."""


@record
class SavedState:
    """The state after the events up to a cursor."""

    cursor: Cursor
    encoded: object
    """The state as plain values, decoded only when it is used."""
    owner: tuple[str, str | None]
    """The agent and project whose events led to the state; another project must not see any of it."""
    is_summarised: bool = False
    """Whether the summary of a session without a reported end was written."""

    @property
    def state(self) -> SegmentState:
        return decode_segment_state(self.encoded)

    def encode(self) -> dict[str, object]:
        agent, project = self.owner
        return {
            "cursor": dict(self.cursor),
            "state": self.encoded,
            "agent": agent,
            "project": project,
            "summarised": self.is_summarised,
        }


class SessionStates:
    """The saved states of one session; if `saves` is off, as in a dry run, nothing is written."""

    def __init__(self, home: str, name: str, *, saves: bool = True) -> None:
        self._path = os.path.join(queue.state_folder(home), f"{name}.json")
        self._saves = saves
        self._last: SavedState | None = None

    def find(self, cursor: Cursor, scope: Scope) -> SegmentState | None:
        """Return the state that was saved for a cursor and a scope.

        A session continues with its state in the queue file of a new day.
        """
        saved = [each for each in _read(self._path) if each.owner == (scope.agent, scope.project)]
        fits = [each for each in saved if dict(each.cursor) == dict(cursor)]
        fits = fits or [each for each in saved if _is_day_before(each.cursor, cursor)]
        if not fits:
            return None
        self._last = fits[-1]
        return fits[-1].state

    def newest(self) -> SavedState | None:
        """Return the state that was saved last; None if there is none."""
        return next(reversed(_read(self._path)), None)

    def save(self, cursor: Cursor, state: SegmentState, scope: Scope, *, is_summarised: bool = False) -> None:
        """Write the state for a cursor, and keep the one before it.

        A state that cannot be written is ignored, because judging the events again gives the same state.
        """
        if not self._saves:
            return
        owner = (scope.agent, scope.project)
        saved = SavedState(
            cursor=dict(cursor), encoded=encode_segment_state(state), owner=owner, is_summarised=is_summarised
        )
        kept = [each.encode() for each in (self._last, saved) if each is not None]
        with contextlib.suppress(OSError):
            folder = os.path.dirname(self._path)
            system.private_directory(os.path.dirname(folder), folder)
            system.write_atomically(self._path, quickjson.dumps(kept).encode(), durable=False)
            self._last = saved

    def remove(self) -> None:
        """Delete the states of a session that was read to its end, so that its texts are only in its memories."""
        if self._saves and os.path.exists(self._path):
            os.unlink(self._path)


def _is_day_before(saved: Cursor, cursor: Cursor) -> bool:
    """Tell whether `cursor` is at the beginning of a later day than `saved`."""
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
        SavedState(
            cursor=row["cursor"],
            encoded=row.get("state"),
            owner=(str(row.get("agent")), row.get("project")),
            is_summarised=bool(row.get("summarised")),
        )
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("cursor"), dict)
    ]


def remove_old(home: str, now_ms: int) -> None:
    """Delete the states of sessions that were not resumed for long, because states contain texts of the session."""
    for path in system.walk_files(queue.state_folder(home)):
        saved = next(reversed(_read(path)), None)
        days = [name for name in saved.cursor if queue.is_name(name)] if saved else []
        # Only the holder of the worker lock writes here, so what cannot be read belongs to a process that died.
        if saved is None or (days and all(queue.is_over(name, now_ms, days=KEEP_DAYS) for name in days)):
            os.unlink(path)


def remove_all(home: str) -> None:
    """Delete every state, because a purge cannot tell which states contain the purged text."""
    for path in system.walk_files(queue.state_folder(home)):
        os.unlink(path)
