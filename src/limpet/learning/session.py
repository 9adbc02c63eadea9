"""One session's events, made into memories: the stages that work when nobody waits.

All that a batch of events leaves behind is gathered here and written at once, so that either all of it is there or
the events are still to be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from limpet.capture.judge import Judgement, judge, reset_effort, summarise
from limpet.capture.state import SegmentState
from limpet.capture.tools.failures import error_line, error_tag
from limpet.clock import DAY_MS, to_ms
from limpet.doors.admit import Admission
from limpet.lean.record import mutable, record, replace
from limpet.learning.novelty import novelty
from limpet.learning.outcomes import outcomes
from limpet.model.change import CAPTURE, Change, ChangeKind
from limpet.model.codec import encode_fact, iso
from limpet.model.event import (
    BoundaryCrossed,
    Compacted,
    Event,
    MemoryAdmitted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    ToolFinished,
    TurnEnded,
)
from limpet.model.fact import Fact
from limpet.model.ids import new_id
from limpet.model.memory import Draft, Memory, Origin, Scale, Type
from limpet.model.outcome import Admitted, Rejected
from limpet.model.query import Query
from limpet.model.reach import SUMMARIES
from limpet.model.receipt import Receipt
from limpet.model.scope import Scope
from limpet.settings import CaptureSettings
from limpet.store.protocol import Reading
from limpet.text.similarity import jaccard

_SAME = 0.97
_MEMBERS = 200


@record
class Desk:
    """Where a session's memories are kept, and by whose rules."""

    session: str
    scope: Scope
    reading: Callable[[], Reading]
    door: Callable[[datetime], Admission]
    settings: CaptureSettings
    now: Callable[[], datetime]
    write: Callable[[Sequence[Change]], object]
    note: Callable[[Receipt], None]


@mutable
class Tally:
    """What became of what was seen."""

    seen: int = 0
    kept: int = 0
    known: int = 0
    dropped: int = 0


class SessionWork:
    """The state of one session while its events are worked through."""

    def __init__(self, desk: Desk, state: SegmentState, *, transcript: str | None = None) -> None:
        self.state = state
        self.tally = Tally()
        self._desk = desk
        self._transcript = transcript
        self._judged: Judgement | None = None
        self._summary: tuple[Draft, datetime] | None = None
        self._changes: list[Change] = []
        self._drafts: list[tuple[Draft, datetime]] = []
        self._said: list[str] = []
        self._failed: list[str] = []
        self._session: dict[str, int] = {}
        self._days: set[int] = set()
        self._times: list[int] = []
        self._ended = False
        self._reasons: dict[str, int] = {}
        self._told_seen = self._told_kept = 0

    @property
    def scope(self) -> Scope:
        return self._desk.scope

    # The stages; their order is in the table

    def on_seen(self, event: Event) -> Iterable[Event]:
        """Look at the event once; what the later stages ask about is then known."""
        assert isinstance(event, Reported)
        self._judged = judge(
            self.state,
            event,
            novelty=lambda text: novelty(
                text,
                reading=self._desk.reading(),
                scope=self._desk.scope,
                now=event.at,
                typed=isinstance(event, PromptSubmitted),
            ),
            settings=self._desk.settings,
            transcript=self._transcript,
        )
        self.state = self._judged.state
        self._count(event)
        return [self._judged.boundary] if self._judged.boundary else []

    def on_capture(self, event: Event) -> Iterable[Event]:
        assert isinstance(event, Reported)
        judged = self._judged
        if judged is None:
            return
        for kept in judged.kept:
            self._drafts.append((kept.draft, event.at))
            self.state = reset_effort(self.state)
        if judged.dropped is not None:
            self.tally.dropped += 1
            self._reason(judged.dropped.reason)
            yield judged.dropped
        if judged.checkpoint is not None:
            self._summary = (judged.checkpoint, event.at)

    def on_temporal(self, event: Event) -> Iterable[Event]:
        """What has just happened serves the moment; what is only now read of an older day serves the project."""
        served = Scale.at(self._desk.now() - event.at)
        self._drafts = [
            (replace(draft, scale=max(draft.scale, served, key=lambda scale: scale.rank)), at)
            for draft, at in self._drafts
        ]
        return ()

    def on_boundary(self, event: Event) -> Iterable[Event]:
        """A turn of the work is kept as a fact of its session."""
        assert isinstance(event, BoundaryCrossed)
        fact = Fact(
            id=new_id("fact", to_ms(event.at)),
            agent=self._desk.scope.agent,
            project=self._desk.scope.project,
            subject=f"session:{event.session}",
            predicate="boundary_at",
            object=f"{iso(event.at)} {event.summary}"[:400],
            valid_from=event.at,
        )
        self._changes.append(
            Change(kind=ChangeKind.FACT, subject=fact.id, actor=CAPTURE, payload={"fact": encode_fact(fact)})
        )
        return ()

    def on_turn(self, event: Event) -> Iterable[Event]:
        """What was brought up since the last turn has now been used or not."""
        said = "\n".join((*self._said, event.said if isinstance(event, TurnEnded) else ""))
        ended = isinstance(event, SessionEnded)
        found = outcomes(self._desk.reading(), self._desk.session, said=said, failed=self._failed, ended=ended)
        if found:
            self._desk.note(Receipt(id="", way="outcome", session=self._desk.session, outcomes=found))
        self._said.clear()
        return ()

    # Writing

    def finish(self, *, source: str, place: int, beside: Mapping[str, int] | None = None) -> tuple[Event, ...]:
        """Write everything that the events left behind, and last of all that they were made use of.

        `beside` are the places in other sources, if the events came from several.
        """
        caused: list[Event] = []
        changes = list(self._changes)
        for draft, at in self._drafts:
            door = self._desk.door(at)
            outcome = door.admit(draft)
            # One batch may say the same thing twice; what is not written yet, the store cannot know.
            if isinstance(outcome, Admitted) and not self._is_repeated(outcome, changes):
                changes += door.changes
                self.tally.kept += 1
                caused.append(MemoryAdmitted(at=at, memory=outcome.memory))
            else:
                self.tally.known += 1
                self._reason("not fit to be kept" if isinstance(outcome, Rejected) else "already known")
        changes += self._summarised([event.memory for event in caused if isinstance(event, MemoryAdmitted)])
        changes.append(self._told({source: place, **(beside or {})}))
        self._desk.write(changes)
        self._drafts.clear()
        self._changes.clear()
        self._summary = None
        return tuple(caused)

    def stop(self, now: datetime) -> None:
        """The session has simply stopped: its summary is made now."""
        draft = summarise(self.state, self._desk.session)
        if draft is not None:
            self._summary = (draft, now)
            self._desk.write(self._summarised([]))
            self._summary = None

    def _reason(self, reason: str) -> None:
        self._reasons[reason] = self._reasons.get(reason, 0) + 1

    def _is_repeated(self, outcome: Admitted, changes: Sequence[Change]) -> bool:
        known = (change.payload.get("memory") for change in changes)
        return any(
            isinstance(memory, dict) and memory.get("content_hash") == outcome.memory.content_hash for memory in known
        )

    def _summarised(self, fresh: Sequence[Memory]) -> list[Change]:
        """A session has one summary: each takes the place of the one before.

        It is made of the session's memories, and goes out of sight or is erased with any of them.
        """
        if self._summary is None:
            return []
        draft, at = self._summary
        query = Query(scope=self._desk.scope, session=self._desk.session, now=at, limit=_MEMBERS)
        known = [stored.memory for stored in self._desk.reading().browse(query).items]
        older = next((memory for memory in known if memory.type is Type.SESSION_SUMMARY), None)
        if older is not None and _says_the_same(older, draft):
            return []
        members = [memory for memory in (*known, *fresh) if memory.type not in SUMMARIES and _is_quoted(memory)]
        door = self._desk.door(at)
        outcome = door.admit(replace(draft, sources=tuple(members)))
        changes = list(door.changes)
        if older is not None and isinstance(outcome, Admitted):
            changes.append(
                Change(
                    kind=ChangeKind.SUPERSEDE,
                    subject=older.id,
                    root=older.root,
                    lineage=older.lineage,
                    actor=CAPTURE,
                    payload={"by": outcome.memory.id},
                )
            )
        return changes

    def _told(self, taken: dict[str, int]) -> Change:
        payload: dict[str, object] = {
            **self._session,
            "agent": self._desk.scope.agent,
            "project": self._desk.scope.project,
            "transcript": self._transcript,
            "days": sorted(self._days),
            "from": min(self._times, default=0),
            "to": max(self._times, default=0),
            "ended": self._ended,
            "seen": self.tally.seen - self._told_seen,
            "kept": self.tally.kept - self._told_kept,
            "dropped": self._reasons,
            "taken": taken,
        }
        self._told_seen, self._told_kept, self._reasons = self.tally.seen, self.tally.kept, {}
        kept = {name: value for name, value in payload.items() if value}
        self._session = {}
        self._days, self._times, self._ended = set(), [], False
        return Change(kind=ChangeKind.SESSION, subject=f"session:{self._desk.session}", actor=CAPTURE, payload=kept)

    def _count(self, event: Reported) -> None:
        self.tally.seen += 1
        ms = to_ms(event.at)
        self._times.append(ms)
        self._days.add(ms // DAY_MS)
        match event:
            case ToolFinished():
                name = "failures" if event.failed else "successes"
                self._session[name] = self._session.get(name, 0) + 1
                self._said.append(f"{event.command}\n{event.output[:500]}" if event.files_modified else event.command)
                if event.failed and (tag := error_tag(error_line(event.output))):
                    self._failed.append(tag)
            case Compacted():
                self._session["compacted"] = 1
            case SessionEnded():
                self._ended = True
            case _:
                pass


def _says_the_same(older: Memory, draft: Draft) -> bool:
    return older.title == draft.title and jaccard(older.original_content, draft.text) > _SAME


def _is_quoted(memory: Memory) -> bool:
    """Texts of files and of the world outside are named in a summary, never part of it."""
    return memory.origin in (Origin.USER, Origin.AGENT, Origin.TOOL)
