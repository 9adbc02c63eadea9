"""The work that waits: what hooks have written down is made into memories.

What is to be done follows from the state alone: a file of the queue is longer than the journal says that it was used.
Whoever has time takes the one lock and works; if it dies, the next one finds the same work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta

from limpet import clock, system
from limpet.capture.judge import judge, reset_effort
from limpet.capture.state import SegmentState, from_json, to_json
from limpet.errors import SettingsError, UsageError
from limpet.lean import quickjson
from limpet.lean.record import mutable
from limpet.learning.bus import Bus
from limpet.learning.entries import entries
from limpet.learning.session import Desk, SessionWork, Tally
from limpet.learning.stages import working
from limpet.learning.turn import turn
from limpet.learning.waiting import has_more, used
from limpet.queue import files as queue
from limpet.store.protocol import Progress, Reading, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BATCH = 100
QUIET = timedelta(minutes=30)
"""After so long without an event a session has stopped, whether or not anybody said so."""
STATE_DAYS = 30
"""A session that is taken up again after longer than this is told as a new one."""


@mutable
class Taken:
    """What a round of work came to."""

    seen: int = 0
    kept: int = 0
    known: int = 0
    dropped: int = 0
    sessions: int = 0
    finished: bool = True
    busy: bool = False

    def add(self, tally: Tally) -> None:
        self.seen += tally.seen
        self.kept += tally.kept
        self.known += tally.known
        self.dropped += tally.dropped
        self.sessions += 1


def take(
    home: str,
    *,
    reading: Callable[[], Reading],
    desk_for: Callable[[str, str], Desk],
    log: Callable[[str], None],
    now_ms: Callable[[], int] = clock.now_ms,
    budget_ms: int | None = None,
    progress: Progress = no_progress,
) -> Taken:
    """Work off the queue, session by session, until it is empty or the time is over."""
    answer = Taken()
    deadline = None if budget_ms is None else clock.monotonic_ms() + budget_ms
    with turn(home) as ours:
        if not ours:
            return Taken(busy=True, finished=False)
        names = queue.names(home)
        for number, name in enumerate(names):
            progress("learning from sessions", number, len(names))
            if deadline is not None and clock.monotonic_ms() > deadline:
                answer.finished = False
                break
            try:
                _take_file(home, name, reading, desk_for, log, now_ms(), answer, deadline)
            except (OSError, UsageError, SettingsError) as error:
                # One session that cannot be worked on must not keep all the others waiting.
                log(f"could not learn from queue/{name}: {error}")
        progress("learning from sessions", len(names), len(names))
    return answer


def _take_file(
    home: str,
    name: str,
    reading: Callable[[], Reading],
    desk_for: Callable[[str, str], Desk],
    log: Callable[[str], None],
    now_ms: int,
    answer: Taken,
    deadline: int | None,
) -> None:
    session, begin = used(home, name, reading())
    if not has_more(home, name, begin):
        if session:
            _stop_if_quiet(home, name, session, reading(), desk_for, now_ms)
        if queue.is_over(name, now_ms):
            queue.remove(home, name)
            _forget_states(home, now_ms)
        return
    state = _state(home, name, begin)
    work: SessionWork | None = None
    bus: Bus | None = None
    batch = 0
    place, folder = begin, ""
    for seen in entries(home, name, begin):
        if work is None or bus is None or seen.folder != folder:
            desk = desk_for(seen.folder, session)
            folder = seen.folder
            if work is not None and desk.scope != work.scope:
                # The session has gone over to another project: nothing of the one may be told in the other.
                work.finish(source=name, place=place)
                answer.add(work.tally)
                work, state, batch = None, SegmentState(), 0
            if work is None:
                work = SessionWork(desk, state, transcript=seen.transcript)
                # Where learning was switched off since, what is queued is passed over.
                bus = Bus(working(work) if desk.settings.enabled else (), log=log)
        assert bus is not None
        place = seen.place
        if seen.event is not None:
            bus.publish(seen.event)
        batch += 1
        if batch >= BATCH:
            work.finish(source=name, place=place)
            _keep_state(home, name, place, work.state, summarised=False)
            batch = 0
            if deadline is not None and clock.monotonic_ms() > deadline:
                answer.finished = False
                break
    if work is None:
        return
    if batch:
        work.finish(source=name, place=place)
        _keep_state(home, name, place, work.state, summarised=False)
    answer.add(work.tally)


# The state of a session between two rounds is kept beside the queue; where it is missing, the events are read again.


def _state_path(home: str, name: str) -> str:
    return os.path.join(queue.states(home), name.rpartition("/")[2] + ".json")


def _state(home: str, name: str, place: int) -> SegmentState:
    kept = _kept_state(home, name)
    if kept.get("name") == name and kept.get("place") == place:
        return from_json(kept.get("state"))
    if place == 0 and isinstance(kept.get("name"), str) and str(kept["name"]) < name:
        return from_json(kept.get("state"))
    state = SegmentState()
    for seen in entries(home, name, 0):
        if seen.place > place:
            break
        if seen.event is not None:
            judged = judge(state, seen.event)
            state = reset_effort(judged.state) if judged.kept else judged.state
    return state


def _kept_state(home: str, name: str) -> dict[str, Any]:
    return _read_state(_state_path(home, name))


def _read_state(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="ascii") as file:
            found = quickjson.loads(file.read())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _forget_states(home: str, now_ms: int) -> None:
    """Drop what is kept of sessions that nobody has taken up for long; it is made of their texts."""
    for path in list(system.walk_files(queue.states(home))):
        name = _read_state(path).get("name")
        # Only whose turn it is writes here, so what is half written belongs to somebody who died.
        if path.endswith(".tmp") or (isinstance(name, str) and queue.is_over(name, now_ms, days=STATE_DAYS)):
            os.unlink(path)


def _keep_state(home: str, name: str, place: int, state: SegmentState, *, summarised: bool) -> None:
    path = _state_path(home, name)
    system.private_directory(os.path.dirname(path))
    kept = {"name": name, "place": place, "state": to_json(state), "summarised": summarised}
    system.write_atomically(path, quickjson.dumps(kept).encode(), durable=False)


def _stop_if_quiet(
    home: str,
    name: str,
    session: str,
    reading: Reading,
    desk_for: Callable[[str, str], Desk],
    now_ms: int,
) -> None:
    """Summarise a session whose end nobody reported, once."""
    kept = _kept_state(home, name)
    known = reading.session(session)
    if kept.get("name") != name or kept.get("summarised") or known is None or known.ended:
        return
    if clock.from_ms(now_ms) - known.last_seen < QUIET and not _has_successor(reading, session, known.project):
        return
    first = next(entries(home, name, 0), None)
    if first is None:
        return
    state = from_json(kept.get("state"))
    work = SessionWork(desk_for(first.folder, session), state, transcript=known.transcript)
    work.stop(known.last_seen)
    _keep_state(home, name, int(kept.get("place", 0)), state, summarised=True)


def _has_successor(reading: Reading, session: str, project: str | None) -> bool:
    latest = reading.last_session(project, besides=None)
    return latest is not None and latest != session


def scrub(home: str, reading: Reading, texts: Sequence[str]) -> None:
    """What a purge asks of the queue, in its turn; the states of sessions go too, as they are made of its texts."""
    names = queue.names(home)
    queue.scrub(home, texts, {name: used(home, name, reading)[1] for name in names})
    for path in list(system.walk_files(queue.states(home))):
        os.unlink(path)
