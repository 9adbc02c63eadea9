"""Process the events of a source, such as the queue, and make memories from them.

Only one process at a time processes or erases events: the worker, which holds the worker lock. The results of a batch
are written to the journal at once, together with the position in the source. So a worker that is killed loses nothing
and repeats nothing. Any process can be the worker. There is work if a queue file is longer than the recorded position.
If a worker is killed, the next one continues its work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from limpet import clock, system
from limpet.capture.judge import judge, reset_effort
from limpet.capture.state import SegmentState
from limpet.errors import SettingsError, StoreError, UsageError
from limpet.lean.record import mutable
from limpet.learning.session import Batch, SessionLearner
from limpet.learning.sources import (
    EventSource,
    QueueSource,
    SourceEntry,
    find_last_folder,
    find_lost_commands,
    find_position,
)
from limpet.learning.stages import TABLE, Bus, learning_handlers
from limpet.learning.states import SessionStates, remove_all_states, remove_old_states
from limpet.model.event import SessionEnded
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted
from limpet.queue import files as queue
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

BATCH = 100
"""The maximum number of entries whose results are written together."""
WAIT_MS = 30_000
"""The maximum time that a command waits for the worker lock, in milliseconds. Other processes hold it only briefly."""

OpenContext = Callable[[SourceEntry], "Context"]
"""A function that returns the context for an entry. The entry's folder may belong to another project."""


def worker_lock(home: str, *, doing: str = "learn", wait_ms: int = 0) -> system.lock:
    """Return a context manager that takes the worker lock. Its value is False if another process holds the lock.

    It waits up to `wait_ms` milliseconds. `doing` names the action in error messages.
    """
    path = os.path.join(home, "locks", "capture")
    return system.lock(path, clock.attempts(wait_ms, every_ms=50), doing=doing)


@contextmanager
def keep_workers_out(home: str, *, is_hurried: bool = False) -> Iterator[None]:
    """Hold the worker lock while texts are erased. Raise StoreError if another process holds it for too long.

    If `is_hurried` is true, do not wait for the other process.
    """
    # A worker that has read an event with such a text would store it again.
    with worker_lock(home, doing="remove memories", wait_ms=0 if is_hurried else WAIT_MS) as is_held:
        if not is_held:
            raise StoreError("another process is learning from sessions; nothing was changed, try again later")
        yield


def learn(
    source: EventSource,
    *,
    open_context: OpenContext,
    states: SessionStates,
    is_late: Callable[[], bool] = lambda: False,
) -> Iterator[Batch]:
    """Process a source to its end, and yield each batch after it was written. The caller may stop after any batch.

    If `is_late` returns True, the current batch ends after the current entry.
    """
    learner: SessionLearner | None = None
    bus: Bus | None = None
    has_moved, waiting, cursor = False, 0, source.cursor
    moved = SegmentState()
    for entry in source:
        context = open_context(entry)
        if learner is not None and context.scope != learner.scope:
            # The session has moved to another project, whose memories must not contain anything of this one.
            moved = _leave_project(learner.state)
            states.save(cursor, moved, context.scope)
            yield learner.finish(cursor)
            learner, has_moved, waiting = None, True, 0
        if learner is None:
            state = moved
            if not has_moved:
                state = states.find(cursor, context.scope) or _judge_again(source, open_context, context)
            learner = SessionLearner(context, state, transcript=entry.transcript)
            # If learning was switched off after the events were queued, they are skipped.
            is_on = context.settings.capture.enabled
            bus = Bus(TABLE, learning_handlers(learner), log=context.log) if is_on else None
        if entry.event is not None and bus is not None:
            bus.publish(entry.event)
        if source.end is not None and bus is not None:
            # The end is written together with the last entries, so that it is never missing.
            bus.publish(source.end)
        cursor, waiting = source.cursor, waiting + 1
        if (waiting >= BATCH or is_late()) and source.is_between:
            states.save(cursor, learner.state, learner.scope)
            yield learner.finish(cursor)
            waiting = 0
    if learner is not None and waiting:
        states.save(cursor, learner.state, learner.scope)
        yield learner.finish(cursor)


def _judge_again(source: EventSource, open_context: OpenContext, context: Context) -> SegmentState:
    """Return the state of a session, computed again by judging the entries before the start of the source."""
    # Entries from before a memory was last forgotten or purged are left out, because they may contain its text.
    state, forgotten_at = SegmentState(), context.reading().last_forgotten()
    for entry in source.earlier_entries():
        if forgotten_at is not None and entry.event is not None and entry.event.at <= forgotten_at:
            continue
        there = open_context(entry)
        if there.scope != context.scope:
            state = _leave_project(state)
        elif entry.event is not None:
            judged = judge(state, entry.event, settings=there.settings.capture, root=there.root)
            state = reset_effort(judged.state, clock.to_ms(entry.event.at)) if judged.kept else judged.state
    return state


def _leave_project(state: SegmentState) -> SegmentState:
    """Return the state for a session that moves to another project.

    It contains only the taint, without the names of the sources.
    """
    return SegmentState(taint=state.taint.without_names())


_SHORT = 8
"""A text of at most this many characters is not searched for in the queue, because it may occur there by chance."""
QUIET = timedelta(minutes=30)
"""The time without events after which a session counts as ended, even if its end was not reported."""


@mutable
class QueueReport:
    """The result of processing the queue."""

    seen: int = 0
    """The number of events."""
    kept: int = 0
    """The number of new memories."""
    known: int = 0
    """The number of drafts that were not admitted, usually because they were already known."""
    dropped: int = 0
    """The number of events whose text was not worth keeping."""
    sessions: int = 0
    finished: bool = True
    """Whether the whole queue was processed."""
    busy: bool = False
    """Whether nothing was done because another process was learning."""

    def add(self, batch: Batch) -> None:
        self.seen += batch.seen
        self.kept += len(batch.admitted)
        self.known += batch.known
        self.dropped += batch.dropped


def learn_from_queue(
    context: Context, *, budget_ms: int | None = None, is_wanted: Callable[[], bool] = lambda: False
) -> QueueReport:
    """Make memories from the queued events of all sessions and projects.

    Stop after `budget_ms` milliseconds, or if `is_wanted` returns True, which means that the caller has other work. Do
    nothing if another process is learning.
    """
    report = QueueReport()
    deadline = None if budget_ms is None else clock.monotonic_ms() + budget_ms

    def is_late() -> bool:
        return is_wanted() or (deadline is not None and clock.monotonic_ms() > deadline)

    with worker_lock(context.home) as is_held:
        if not is_held:
            return QueueReport(busy=True, finished=False)
        names, reading = queue.list_queue_files(context.home), context.reading()
        for number, name in enumerate(names):
            context.progress("learning from sessions", number, len(names))
            if is_late():
                report.finished = False
                break
            try:
                _learn_from_file(name, context, reading, report, is_late)
            except (OSError, UsageError, SettingsError) as error:
                # A session that cannot be processed must not block the others.
                context.log(f"could not learn from queue/{name}: {error}")
        context.progress("learning from sessions", len(names), len(names))
    return report


def _learn_from_file(
    name: str, context: Context, reading: Reading, report: QueueReport, is_late: Callable[[], bool]
) -> None:
    home = context.home
    session, start = find_position(home, name, reading)
    states = SessionStates(home, name.rpartition("/")[2])
    contexts: dict[str, Context] = {}

    last: SourceEntry | None = None

    def open_context(entry: SourceEntry) -> Context:
        nonlocal last
        last = entry if entry.event is not None else last
        if entry.folder not in contexts:
            contexts[entry.folder] = context.open_session(entry.folder, session)
        return contexts[entry.folder]

    has_learnt = False
    source = QueueSource(home, name, start)
    # A file without a session is not processed; it is removed after its day.
    for batch in learn(source, open_context=open_context, states=states, is_late=is_late) if session else ():
        report.sessions += not has_learnt
        has_learnt = True
        report.add(batch)
        if is_late():
            report.finished = False
            return
    if has_learnt:
        if last is not None and last.event is not None:
            _store_lost_commands(name, last, contexts[last.folder], last.event.at)
        return
    if session:
        _summarise_if_quiet(name, session, states, context, reading)
    now_ms = clock.to_ms(context.now())
    if queue.is_over(name, now_ms):
        queue.remove(home, name)
        remove_old_states(home, now_ms)


def _summarise_if_quiet(name: str, session: str, states: SessionStates, context: Context, reading: Reading) -> None:
    """Write the summary of a session that seems to have ended without reporting it, unless it was written before."""
    saved, known = states.newest(), reading.session(session)
    if saved is None or name not in saved.cursor or saved.is_summarised or known is None or known.ended:
        return
    is_latest = reading.last_session(known.project, besides=None) in (None, session)
    if is_latest and context.now() - known.last_seen < QUIET:
        return
    there = context.open_session(find_last_folder(context.home, name), session)
    is_same = saved.owner == (there.scope.agent, there.scope.project)
    if is_same and there.settings.capture.enabled:
        SessionLearner(there, saved.state, transcript=known.transcript).write_summary(known.last_seen)
        end = SessionEnded(session=session, at=known.last_seen)
        _store_lost_commands(name, SourceEntry(event=end, folder="", transcript=known.transcript), there, context.now())
    states.save(saved.cursor, saved.state, there.scope, is_summarised=True)


def _store_lost_commands(name: str, last: SourceEntry, there: Context, before: datetime) -> None:
    """Store what the user has asked to remember at a time when nothing could be written, not even to the queue."""
    if not there.settings.capture.enabled:
        return
    after = there.reading().last_forgotten()
    for each in find_lost_commands(there.home, name, last, before=before, after=after):
        door = there.admission(now=each.at, actor=f"{Origin.AGENT}:{there.scope.agent}")
        if isinstance(door.admit(Draft(text=each.arguments, origin=Origin.AGENT)), Admitted):
            there.write(door.changes)
            there.log("took a text to remember from the transcript, as it could not be queued when it was typed")


def erase_from_queue(home: str, reading: Reading, memories: Iterable[Memory]) -> None:
    """Erase all processed lines of the queue, and all lines that contain the text of one of the memories.

    The saved states of all sessions are deleted too, because they may contain such text. The caller must hold the
    worker lock.
    """
    texts = [text for memory in memories for text in (memory.original_content, memory.content) if len(text) > _SHORT]
    names = queue.list_queue_files(home)
    queue.erase(home, texts, {name: find_position(home, name, reading)[1] for name in names})
    remove_all_states(home)
