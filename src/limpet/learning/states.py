"""Save the state of each session between batches of events, in files beside the queue.

A cursor is a position in the events of a session. Before a batch is written to the journal, the new state is saved
together with the previous one. So after a crash, the state for the cursor in the journal is available, whether or not
the batch was written. If a state is missing nevertheless, the events up to the cursor are judged again.
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
"""The number of days after which a session's state is deleted. If resumed later, the session starts without it."""

Cursor = Mapping[str, int]
"""The position up to which each file of a source was processed, by file name."""


@record
class SavedState:
    """The state of a session at a cursor."""

    cursor: Cursor
    encoded: object
    """The state as JSON values, which are decoded only when it is used."""
    owner: tuple[str, str | None]
    """The agent and project whose events led to the state. It must not be used for another project."""
    is_summarised: bool = False
    """Whether the session was summarised although its end was not reported."""

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
    """The saved states of one session. If `saves` is False, as in a dry run, nothing is written."""

    def __init__(self, home: str, name: str, *, saves: bool = True) -> None:
        self._path = os.path.join(queue.state_folder(home), f"{name}.json")
        self._saves = saves
        self._last: SavedState | None = None

    def find(self, cursor: Cursor, scope: Scope) -> SegmentState | None:
        """Return the state that was saved for a cursor and a scope, or None if there is none.

        At the beginning of a queue file, the last state from an earlier day counts too.
        """
        saved = [each for each in _read_states(self._path) if each.owner == (scope.agent, scope.project)]
        fits = [each for each in saved if dict(each.cursor) == dict(cursor)]
        fits = fits or [each for each in saved if _is_day_before(each.cursor, cursor)]
        if not fits:
            return None
        self._last = fits[-1]
        return fits[-1].state

    def newest(self) -> SavedState | None:
        """Return the state that was saved last, or None if there is none."""
        return next(reversed(_read_states(self._path)), None)

    def save(self, cursor: Cursor, state: SegmentState, scope: Scope, *, is_summarised: bool = False) -> None:
        """Save the state for a cursor, and keep the previous state.

        Write errors are ignored, because the state can be computed again from the events.
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
        """Delete the states of a session that was read to its end. They contain text from the session."""
        if self._saves and os.path.exists(self._path):
            os.unlink(self._path)


def _is_day_before(saved: Cursor, cursor: Cursor) -> bool:
    """Tell whether `cursor` is at the beginning of a queue file of a later day than `saved`."""
    names = [*saved, *cursor]
    return all(map(queue.is_name, names)) and not any(cursor.values()) and max(saved) < min(cursor)


def _read_states(path: str) -> list[SavedState]:
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


def remove_old_states(home: str, now_ms: int) -> None:
    """Delete the states of sessions that were not resumed for `KEEP_DAYS` days, because they contain session text."""
    for path in system.walk_files(queue.state_folder(home)):
        saved = next(reversed(_read_states(path)), None)
        days = [name for name in saved.cursor if queue.is_name(name)] if saved else []
        # Only the holder of the worker lock writes states, so an unreadable file was left by a killed process.
        if saved is None or (days and all(queue.is_over(name, now_ms, days=KEEP_DAYS) for name in days)):
            os.unlink(path)


def remove_all_states(home: str) -> None:
    """Delete the states of all sessions. A purge needs this, because any state may contain the purged text."""
    for path in system.walk_files(queue.state_folder(home)):
        os.unlink(path)
