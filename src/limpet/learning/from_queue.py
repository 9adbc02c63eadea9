"""Learn from what hooks have queued, session by session.

The work follows from the state alone: a file of the queue is longer than the journal says that it was used. Whoever
has time takes the worker lock and works; if that process dies, the next one finds the same work.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from limpet import clock
from limpet.errors import SettingsError, UsageError
from limpet.lean.record import mutable
from limpet.learning.backlog import has_more, position
from limpet.learning.session import Batch, SessionLearner
from limpet.learning.sources import Entry, QueueSource
from limpet.learning.states import SessionStates, remove_all, remove_old
from limpet.learning.worker import learn, worker_lock
from limpet.model.memory import Memory
from limpet.queue import files as queue
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

_SHORT = 8
"""A text of so few characters stands everywhere by chance."""
QUIET = timedelta(minutes=30)
"""After so long without an event a session has stopped, even if its end was never reported."""


@mutable
class QueueReport:
    """What learning from the queue came to."""

    seen: int = 0
    kept: int = 0
    known: int = 0
    dropped: int = 0
    sessions: int = 0
    finished: bool = True
    busy: bool = False
    """Whether another process was learning, so that nothing was done."""

    def add(self, batch: Batch) -> None:
        self.seen += batch.seen
        self.kept += len(batch.admitted)
        self.known += batch.known
        self.dropped += batch.dropped


def learn_from_queue(context: Context, *, budget_ms: int | None = None) -> QueueReport:
    """Make memories of what hooks have queued, of whatever session and project, until the time is over."""
    report = QueueReport()
    deadline = None if budget_ms is None else clock.monotonic_ms() + budget_ms
    with worker_lock(context.home) as is_held:
        if not is_held:
            return QueueReport(busy=True, finished=False)
        names, reading = queue.names(context.home), context.reading()
        for number, name in enumerate(names):
            context.progress("learning from sessions", number, len(names))
            if _is_late(deadline):
                report.finished = False
                break
            try:
                _learn_from_file(name, context, reading, report, deadline)
            except (OSError, UsageError, SettingsError) as error:
                # A session that cannot be learnt from must not hold up the others.
                context.log(f"could not learn from queue/{name}: {error}")
        context.progress("learning from sessions", len(names), len(names))
    return report


def _is_late(deadline: int | None) -> bool:
    return deadline is not None and clock.monotonic_ms() > deadline


def _learn_from_file(name: str, context: Context, reading: Reading, report: QueueReport, deadline: int | None) -> None:
    home = context.home
    session, start = position(home, name, reading)
    states = SessionStates(home, name.rpartition("/")[2])
    if not session or not has_more(home, name, start):
        # What names no session belongs to none, and goes with its day.
        if session:
            _summarise_if_quiet(name, session, states, context, reading)
        now_ms = clock.to_ms(context.now())
        if queue.is_over(name, now_ms):
            queue.remove(home, name)
            remove_old(home, now_ms)
        return
    contexts: dict[str, Context] = {}

    def open_context(entry: Entry) -> Context:
        if entry.folder not in contexts:
            contexts[entry.folder] = context.open_session(entry.folder, session)
        return contexts[entry.folder]

    report.sessions += 1
    for batch in learn(QueueSource(home, name, start), open_context=open_context, states=states):
        report.add(batch)
        if _is_late(deadline):
            report.finished = False
            return


def _summarise_if_quiet(name: str, session: str, states: SessionStates, context: Context, reading: Reading) -> None:
    """Summarise a session whose end nobody reported, once."""
    saved, known = states.newest(), reading.session(session)
    if saved is None or name not in saved.cursor or saved.is_summarised or known is None or known.ended:
        return
    if context.now() - known.last_seen < QUIET and not _has_successor(reading, session, known.project):
        return
    folder = ""
    for entry in QueueSource(context.home, name):
        folder = entry.folder or folder
    there = context.open_session(folder, session)
    is_same = saved.owner == (there.scope.agent, there.scope.project)
    if is_same and there.settings.capture.enabled:
        SessionLearner(there, saved.state, transcript=known.transcript).write_summary(known.last_seen)
    states.save(saved.cursor, saved.state, there.scope, is_summarised=True)


def _has_successor(reading: Reading, session: str, project: str | None) -> bool:
    latest = reading.last_session(project, besides=None)
    return latest is not None and latest != session


def erase_from_queue(home: str, reading: Reading, memories: Iterable[Memory]) -> None:
    """Erase what was used of the queue and every event that holds the text of a memory; the caller has the worker lock.

    The states of sessions are deleted too, as they are made of its texts.
    """
    texts = [text for memory in memories for text in (memory.original_content, memory.content) if len(text) > _SHORT]
    names = queue.names(home)
    queue.erase(home, texts, {name: position(home, name, reading)[1] for name in names})
    remove_all(home)
