"""Read the inbox: the notes that wait for a decision, the most worthwhile first, each with what came before it.

A note is a memory that was captured from a session. A model is not shown it at the start of later sessions until
somebody keeps it.
"""

from __future__ import annotations

from limpet.capture.speech.prompts import read_prompt
from limpet.capture.speech.reports import score_report
from limpet.capture.speech.statements import parse_statements
from limpet.curating.answered import Answered, find_answered, is_answer
from limpet.doors.limits import most_of_note
from limpet.inject.trial import rank_for_trial
from limpet.lean.record import field, record
from limpet.model.change import Status
from limpet.model.memory import Memory, Origin, Sensitivity, Tier
from limpet.model.query import NO_LIMIT, OPEN, Page, Query, Stored
from limpet.model.reach import SUMMARIES
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SITTING = 10
"""The number of notes that are listed at once. More in one sitting are decided without being read."""


@record
class InboxAnswer:
    """A page of the notes that wait for a decision, best first, and what a call has decided or undone."""

    notes: Page[Stored]
    answered: dict[str, Answered]
    """The messages before the listed notes, by the id of the note."""
    projects: dict[str, str]
    """The names of the projects of the listed notes, by project id."""
    kept: tuple[Stored, ...] = ()
    dropped: tuple[Stored, ...] = ()
    undone: tuple[Stored, ...] = ()
    older: dict[str, tuple[Memory, ...]] = field(default_factory=dict)
    """The kept memories that a note kept by this call may replace, by the id of the note."""
    told: tuple[Memory, ...] = ()
    """What the next session start tells because of this call."""
    confirmable: tuple[str, ...] = ()
    """Sentences about other things that a person can confirm, each with the command to do so."""

    @property
    def is_decided(self) -> bool:
        """Tell whether the call has decided or undone something, rather than only listed notes."""
        return bool(self.kept or self.dropped or self.undone)


def read_inbox(runtime: Runtime, *, limit: int = SITTING, for_model: bool = False, **chosen: Any) -> InboxAnswer:
    """Return a page of the inbox, chosen as by `list_notes`.

    A model gets the message before a note only if the note may need it.
    """
    notes = list_notes(runtime, limit=limit, **chosen)
    asked = [each for each in notes.items if not for_model or is_answer(each.memory)]
    named = (runtime.recent().project(id) for id in {each.memory.project for each in notes.items} if id is not None)
    projects = {project.id: project.name for project in named if project is not None}
    return InboxAnswer(notes=notes, answered=find_answered(runtime, asked), projects=projects)


def list_notes(
    runtime: Runtime,
    *,
    limit: int,
    offset: int = 0,
    sensitivity: tuple[Sensitivity, ...] = OPEN,
    every_project: bool = False,
) -> Page[Stored]:
    """Return a page of the notes that wait for a decision.

    Those that the next session start may tell on trial come first. Both parts are sorted by worth (highest first), then
    by the trust of their origin (highest first), then by age (newest first).
    """
    scope = runtime.scope(every_project=every_project)
    query = Query(scope=scope, tier=Tier.NOTED, sensitivity=sensitivity, now=runtime.now(), limit=NO_LIMIT)
    reading = runtime.reading()
    found = [each for each in reading.browse(query).items if each.memory.type not in SUMMARIES]
    due: set[str] = set()
    if found and runtime.settings.inject.trial:
        ranked = rank_for_trial(scope, reading=reading, session=runtime.session, now=query.now)
        due = {stored.memory.id for stored in ranked}
    ordered = sorted(found, key=lambda each: (each.memory.id not in due, *_rank_note(each.memory)))
    shown = tuple(runtime.signer.judge(each) for each in ordered[offset : offset + limit])
    return Page(items=shown, total=len(found), offset=offset)


def _rank_note(memory: Memory) -> tuple[float, float, float]:
    return -find_worth(memory), -memory.origin.ceiling, -memory.created_at.timestamp()


def find_worth(memory: Memory) -> float:
    """Return how much a note is worth: its importance or, where that was capped, the higher score of its text."""
    if memory.importance < most_of_note(memory.origin):
        return memory.importance
    # The score that capture gave is not stored. It is recomputed in about half a millisecond.
    text = memory.original_content
    found = read_prompt(text).score() if memory.origin is Origin.USER else score_report(parse_statements(text))
    return max(memory.importance, found.total)


def is_note(stored: Stored) -> bool:
    """Tell whether a memory is a note that waits for a decision. Session summaries are not."""
    memory = stored.memory
    return stored.status is Status.LIVE and memory.tier is Tier.NOTED and memory.type not in SUMMARIES
