"""Extract from a recorded session what a stash says about it."""

from __future__ import annotations

from limpet.capture.judge import judge
from limpet.capture.notes import LONGEST_NOTE, open_checks
from limpet.capture.state import SegmentState
from limpet.capture.tasks import open_tasks
from limpet.hosts.sessions import RecordedSession
from limpet.insight.stash import (
    Extract,
)
from limpet.learning.recorded import RecordedSource
from limpet.model.event import Action, ToolFinished
from limpet.model.taint import Taint
from limpet.text.excerpt import shorten_sentences


def read_extract(recorded: RecordedSession, *, root: str | None) -> tuple[Extract, Taint]:
    """Return what was wanted, done and decided in a recorded session, and what is still open.

    Also return what the session has read from outside.
    """
    state, delegated = SegmentState(), set[str]()
    source = RecordedSource(recorded, {})
    try:
        for entry in source:
            if entry.event is not None:
                judged = judge(state, entry.event, root=root)
                state = judged.state
                if isinstance(entry.event, ToolFinished) and entry.event.action is Action.DELEGATE:
                    delegated.update(shorten_sentences(each.draft.title or "", LONGEST_NOTE) for each in judged.kept)
    finally:
        source.close()
    notes, tasks = state.notes, state.tasks
    done = (*tasks.finished, *(each for each in notes.done if each not in tasks.finished))
    first, checks = recorded.files[0], open_checks(notes, state.pending)
    extract = Extract(
        session=recorded.session,
        host=first.host,
        branch=first.branch,
        begins=recorded.begins,
        wanted=notes.goals,
        done=done or ((notes.reported,) if notes.reported else ()),
        decided=(*notes.decided, *state.forbidden),
        open=(*open_tasks(tasks), *checks),
        solved=notes.solved,
        learnt=notes.learnt,
        files=notes.files,
        sources=tuple(each for each in notes.sources if each not in notes.files),
        repeated=frozenset((*notes.solved, *checks, *delegated)),
    )
    return extract, state.taint
