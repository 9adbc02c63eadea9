"""Learn from a source of events: the one loop that makes memories, whoever runs it.

Only one process learns at a time, or erases what could be learnt from: it holds the worker lock. Each batch is one
write to the journal that also says how far the source was used, so a worker that dies loses and repeats nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from limpet import clock, system
from limpet.capture.judge import judge, reset_effort
from limpet.capture.state import SegmentState
from limpet.errors import StoreError
from limpet.learning.bus import Bus
from limpet.learning.session import Batch, SessionLearner
from limpet.learning.sources import Entry, Source
from limpet.learning.stages import TABLE, learning_handlers
from limpet.learning.states import SessionStates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

BATCH = 100
WAIT_MS = 30_000
"""How long a person's command waits for the worker lock; the worker of a hook holds it for moments only."""

OpenContext = Callable[[Entry], "Context"]
"""Return the context that an entry belongs to: its folder may be another project's."""


def worker_lock(home: str, *, doing: str = "learn", wait_ms: int = 0) -> system.lock:
    """Return the worker lock as a context manager: its value is whether this process holds it."""
    path = os.path.join(home, "locks", "capture")
    return system.lock(path, clock.attempts(wait_ms, every_ms=50), doing=doing)


@contextmanager
def keep_workers_out(home: str) -> Iterator[None]:
    """Keep workers out while texts are erased: one that holds an event with such a text would bring it back."""
    with worker_lock(home, doing="erase", wait_ms=WAIT_MS) as is_held:
        if not is_held:
            raise StoreError("another process is learning from sessions; nothing was changed, try again later")
        yield


def learn(source: Source, *, open_context: OpenContext, states: SessionStates) -> Iterator[Batch]:
    """Learn from a source to its end, and yield each batch after it was written; the caller may stop in between."""
    learner: SessionLearner | None = None
    bus: Bus | None = None
    has_moved, waiting, cursor = False, 0, source.cursor
    moved = SegmentState()
    for entry in source:
        context = open_context(entry)
        if learner is not None and context.scope != learner.scope:
            # The session has moved to another project: nothing of the one may be told in the other.
            moved = _leave_project(learner.state)
            states.save(cursor, moved, context.scope)
            yield learner.finish(cursor)
            learner, has_moved, waiting = None, True, 0
        if learner is None:
            state = moved
            if not has_moved:
                state = states.find(cursor, context.scope) or _judge_again(source, open_context, context)
            learner = SessionLearner(context, state, transcript=entry.transcript)
            # Where learning was switched off since, what is queued is passed over.
            is_on = context.settings.capture.enabled
            bus = Bus(TABLE, learning_handlers(learner), log=context.log) if is_on else None
        if entry.event is not None and bus is not None:
            bus.publish(entry.event)
        if source.end is not None and bus is not None:
            # The rest of the session and its end are one write, so that no end is ever missing.
            bus.publish(source.end)
        cursor, waiting = source.cursor, waiting + 1
        if waiting >= BATCH and source.is_between:
            states.save(cursor, learner.state, learner.scope)
            yield learner.finish(cursor)
            waiting = 0
    if learner is not None and waiting:
        states.save(cursor, learner.state, learner.scope)
        yield learner.finish(cursor)


def _judge_again(source: Source, open_context: OpenContext, context: Context) -> SegmentState:
    """Return the state that the entries before the source's start have led to in the scope of a context.

    What happened before somebody last forgot or purged a memory is left out, in every session: it may say the same.
    """
    state, taken_back_at = SegmentState(), context.reading().last_taken_back()
    for entry in source.earlier_entries():
        if taken_back_at is not None and entry.event is not None and entry.event.at <= taken_back_at:
            continue
        there = open_context(entry)
        if there.scope != context.scope:
            state = _leave_project(state)
        elif entry.event is not None:
            judged = judge(state, entry.event, settings=there.settings.capture, root=there.root)
            state = reset_effort(judged.state) if judged.kept else judged.state
    return state


def _leave_project(state: SegmentState) -> SegmentState:
    """Return the state in which a session enters another project: it knows what was read, and no names."""
    return SegmentState(taint=state.taint.without_names())
