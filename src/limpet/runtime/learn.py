"""Run the worker for a runtime: open the context of each session, and erase from the queue what a purge asks for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from limpet.errors import StoreError
from limpet.lean.record import replace
from limpet.model.change import CAPTURE
from limpet.model.memory import Memory, Origin
from limpet.runtime import Caller, Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.sessions import RecordedSession
    from limpet.learning import from_queue, from_recordings
    from limpet.runtime.context import Context

_SHORT = 8
"""A text of fewer characters stands everywhere by chance."""


def learn_from_queue(runtime: Runtime, *, budget_ms: int | None = None) -> from_queue.Report:
    """Make memories of what hooks have queued, of whatever session and project."""
    from limpet.learning.from_queue import learn_from_queue

    return learn_from_queue(
        runtime.context(),
        open_session=lambda folder, session: session_context(runtime, folder, session),
        budget_ms=budget_ms,
        progress=runtime.progress,
    )


def learn_from_recordings(
    runtime: Runtime, sessions: Sequence[RecordedSession], report: from_recordings.Report
) -> from_recordings.Report:
    """Make memories of recorded sessions; `report` is filled in on the way."""
    from limpet.learning.from_recordings import learn_from_recordings

    return learn_from_recordings(
        sessions,
        report,
        context=runtime.context(),
        open_recorded=lambda recorded: recorded_context(runtime, recorded),
        progress=runtime.progress,
    )


def session_context(runtime: Runtime, folder: str, session: str) -> Context:
    """Return the context of a session that works, or has just worked, in a folder."""
    known = runtime.reading().session(session)
    # A folder that is gone, as a work tree is after its work, cannot say whose it was; the session may know.
    project = known.project if known and not os.path.isdir(folder) else None
    place = folder or os.path.abspath(os.sep)
    return _capture_context(
        runtime.elsewhere(place, session=session, caller=Caller(origin=Origin.TOOL), project=project)
    )


def recorded_context(runtime: Runtime, recorded: RecordedSession) -> Context:
    """Return the context of a session of another day: what is checked out now says nothing about it."""
    caller = Caller(origin=Origin.TOOL)
    there = runtime.elsewhere(recorded.folder, session=recorded.session, caller=caller, as_asked=True)
    there.place = replace(there.place, branch=recorded.files[0].branch, commit=None)
    return _capture_context(there)


def _capture_context(there: Runtime) -> Context:
    return there.context(actor=f"{CAPTURE}:{there.agent_id}")


@contextmanager
def lock_worker(runtime: Runtime) -> Iterator[None]:
    """Keep workers out while texts are erased: one that holds an event with such a text would bring it back."""
    from limpet.learning import worker

    with worker.worker_lock(runtime.settings.home, doing="erase", wait_ms=worker.WAIT_MS) as is_held:
        if not is_held:
            raise StoreError("another process is learning from sessions; nothing was changed, try again later")
        yield


def erase_queued(runtime: Runtime, memories: Sequence[Memory]) -> None:
    """Erase from the queue what was learnt from, and every event that still holds one of these texts."""
    from limpet.learning.from_queue import erase_from_queue

    texts = [text for memory in memories for text in (memory.original_content, memory.content) if len(text) > _SHORT]
    erase_from_queue(runtime.settings.home, runtime.reading(), texts)
