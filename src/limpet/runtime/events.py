"""Puts the stages together: those that answer a host, and those that learn from a session when nobody waits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from limpet import clock
from limpet.inject.recipient import Recipient
from limpet.lean.record import replace
from limpet.learning.bus import Bus
from limpet.learning.stages import Answering
from limpet.learning.stages import answering as answering_stages
from limpet.model.change import CAPTURE
from limpet.model.memory import Memory, Origin
from limpet.queue import files as queue
from limpet.runtime import Caller, Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from limpet.doors.admit import Admission
    from limpet.learning.session import Desk
    from limpet.learning.worker import Taken

_TAIL = 256 * 1024
_TELLING = 8
"""A text of fewer characters stands everywhere by chance."""


def answering(runtime: Runtime) -> Bus:
    """The stages that run while a host waits."""
    project = runtime.project
    recipient = Recipient(
        scope=runtime.scope(),
        agent=runtime.agent[1],
        project=project.name if project else None,
        session=runtime.session,
        root=runtime.where().root,
    )
    tools = Answering(
        recipient=recipient,
        reading=runtime.reading,
        settings=runtime.settings,
        judge=runtime.judged,
        now=runtime.now,
        note=runtime.note,
        working=lambda: working_context(runtime),
    )
    return Bus(answering_stages(tools), log=runtime.log)


def working_context(runtime: Runtime) -> str:
    """What was being done in this session, as far as the hooks have written it down."""
    from limpet.inject.working_context import gather_working_context, render_working_context
    from limpet.learning.entries import entries

    if runtime.session is None:
        return ""
    home, now = runtime.settings.home, runtime.now_ms()
    names = dict.fromkeys(queue.name_of(runtime.session, ms) for ms in (now - clock.DAY_MS, now))
    seen = (each for name in names for each in entries(home, name, max(0, queue.size_of(home, name) - _TAIL)))
    return render_working_context(gather_working_context(each.event for each in seen if each.event is not None))


def learn(runtime: Runtime, *, budget_ms: int | None = None) -> Taken:
    """Make memories of what the hooks have queued, of whatever session and project."""
    from limpet.learning.worker import take

    return take(
        runtime.settings.home,
        reading=runtime.reading,
        desk_for=lambda folder, session: desk(runtime, folder, session),
        log=runtime.log,
        now_ms=runtime.now_ms,
        budget_ms=budget_ms,
        progress=runtime.progress,
    )


def desk(runtime: Runtime, folder: str, session: str) -> Desk:
    """Where the memories of a session belong."""
    caller = Caller(origin=Origin.TOOL)
    known = runtime.reading().session(session)
    # A folder that is gone, as a work tree is after its work, cannot say whose it was; the session may know.
    project = known.project if known and not os.path.isdir(folder) else None
    place = folder or os.path.abspath(os.sep)
    return _desk(runtime, runtime.elsewhere(place, session=session, caller=caller, project=project))


def desk_of_then(runtime: Runtime, folder: str, session: str, branch: str | None) -> Desk:
    """The same for a session of another day: what is checked out now says nothing about it."""
    there = runtime.elsewhere(folder, session=session, caller=Caller(origin=Origin.TOOL), as_asked=True)
    there.place = replace(there.place, branch=branch, commit=None)
    return _desk(runtime, there)


def _desk(runtime: Runtime, there: Runtime) -> Desk:
    from limpet.learning.session import Desk

    def door(at: datetime) -> Admission:
        return there.admission(now=at, actor=f"{CAPTURE}:{there.agent_id}")

    return Desk(
        session=there.session or "",
        scope=there.scope(),
        reading=runtime.reading,
        door=door,
        settings=there.settings.capture,
        now=runtime.now,
        write=there.write,
        note=there.note,
    )


def nobody_learning(runtime: Runtime) -> AbstractContextManager[bool]:
    """While texts are erased: whoever holds an event with one of them would bring it back."""
    from limpet.learning.turn import PATIENCE_MS, turn

    return turn(runtime.settings.home, doing="erase", patience_ms=PATIENCE_MS)


def forget_queued(runtime: Runtime, memories: Sequence[Memory]) -> None:
    """Erase from the queue what it has been used for, and every event that still holds one of these texts."""
    from limpet.learning.worker import scrub

    texts = [text for memory in memories for text in (memory.original_content, memory.content) if len(text) > _TELLING]
    scrub(runtime.settings.home, runtime.reading(), texts)
