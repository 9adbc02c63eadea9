"""Make memories from the events of one session, by the stages that run while no host is waiting for an answer.

The results of a batch of events are collected and written together. If writing fails, the events of the batch are
processed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.capture.judge import Judgement, judge, reset_effort, summarise
from limpet.capture.novelty import find_repeated, measure_novelty
from limpet.capture.state import SegmentState
from limpet.clock import local_day, to_ms
from limpet.doors.forbidden import is_forbidden
from limpet.hosts.typed import asks_to_remember
from limpet.lean.record import field, mutable, record, replace
from limpet.learning.effort import list_store_times
from limpet.learning.outcomes import find_outcomes
from limpet.learning.retirement import is_draft_of_turn, retire_failed_fixes, retire_turn, supersede_replaced
from limpet.learning.same_fix import complete_stored_fix, find_stored_fix, merge_fixes
from limpet.learning.stated import join_stated
from limpet.learning.states import Cursor
from limpet.model.change import CAPTURE, Change, ChangeKind, Status, change_memory
from limpet.model.codec import encode_fact, format_time
from limpet.model.event import (
    BoundaryCrossed,
    CommandExpanded,
    Compacted,
    Event,
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
from limpet.model.taint import Taint
from limpet.store.protocol import Reading
from limpet.text.error_lines import find_error_line
from limpet.text.error_signature import error_tag
from limpet.text.similarity import jaccard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

_MOST_AROUND = 3
"""A rule counts as said again if the prompt is at most this many times as long; in others, much is said by the way."""
_SAME_SUMMARY = 0.97
"""The minimum similarity of two summaries that count as the same."""
_MOST_RESULTS = 200


@record
class JudgedEvent:
    """An event with its judgement, for the later stages that process the same event."""

    event: Reported
    judged: Judgement


@record
class Batch:
    """The result of a batch: the new memories, and how many events were read and how many texts dropped or known."""

    seen: int
    dropped: int
    known: int
    admitted: tuple[Memory, ...]
    is_summarised: bool
    """Whether a summary of the session was written."""


@mutable
class _Pending:
    """The results of the events that were processed since the last write."""

    drafts: list[tuple[Draft, datetime]] = field(default_factory=list)
    facts: list[Change] = field(default_factory=list)
    retired: list[Change] = field(default_factory=list)
    """The changes that hide fixes that did not help."""
    commanded: list[tuple[Draft, datetime]] = field(default_factory=list)
    """The texts of commands such as `/remember`, with their times."""
    summary: tuple[Draft, datetime] | None = None
    times: list[int] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    """How many texts were not stored, by reason."""
    objections: list[tuple[int, datetime]] = field(default_factory=list)
    """For each objection: when the turn it is about began, in milliseconds, and when the user objected."""
    repeated: dict[str, Memory] = field(default_factory=dict)
    """The memories from other sessions that the user has repeated, by id."""
    seen: int = 0
    dropped: int = 0
    has_ended: bool = False

    def count(self, counts: dict[str, int], name: str) -> None:
        counts[name] = counts.get(name, 0) + 1


class SessionLearner:
    """Processes the events of one session and keeps state between them. Its `on_…` methods are the stages."""

    def __init__(self, context: Context, state: SegmentState, *, transcript: str | None = None) -> None:
        self.state = state
        self._context = context
        self._transcript = transcript
        self._learned: JudgedEvent | None = None
        self._pending = _Pending()
        self._reading: Reading | None = None
        self._said: list[str] = []
        self._failed: list[str] = []
        self._store_times: list[int] | None = None

    @property
    def scope(self) -> Scope:
        return self._context.scope

    def learn(self, event: Reported) -> JudgedEvent:
        """Judge whether an event is worth keeping, given the state of the session and the stored memories."""

        def compare(text: str) -> float:
            typed = isinstance(event, PromptSubmitted)
            reading = self._batch_reading()
            novelty = measure_novelty(text, reading=reading, scope=self.scope, now=event.at, typed=typed)
            if isinstance(event, PromptSubmitted) and _MOST_AROUND * len(text) >= len(event.text):
                self._pending.repeated |= find_repeated(text, self._context.session, self.scope, reading)
            return novelty

        settings = self._context.settings.capture
        judged = judge(
            self.state,
            event,
            novelty=compare,
            settings=settings,
            transcript=self._transcript,
            root=self._context.root,
        )
        return JudgedEvent(event=event, judged=judged)

    # The stages, whose order is in `stages.TABLE`

    def on_boundaries(self, event: Event) -> Iterable[Event]:
        """Judge the event. Return a `BoundaryCrossed` event if the work has changed its subject."""
        assert isinstance(event, Reported)
        self._count_event(event)
        self._reset_effort(event)
        self._learned = self.learn(event)
        self.state = self._learned.judged.state
        boundary = self._learned.judged.boundary
        return [boundary] if boundary else []

    def _reset_effort(self, event: Reported) -> None:
        """Reset the effort counters if a memory has been stored on purpose since they were last reset."""
        effort = self.state.effort
        if not effort.tools and not effort.compacted and not isinstance(event, ToolFinished | Compacted):
            return
        if self._store_times is None:
            session, now = self._context.session, self._context.now()
            self._store_times = list_store_times(
                session, reading=self._batch_reading(), scope=self.scope, now=now, only_on_purpose=True
            )
        past = [ms for ms in self._store_times if effort.since_ms < ms < to_ms(event.at)]
        if past:
            self.state = reset_effort(self.state, past[-1])

    def on_capture(self, event: Event) -> Iterable[Event]:
        """Collect the drafts of the event that `on_boundaries` has judged; yield its `DraftDropped` event, if any."""
        if self._learned is None or self._learned.event is not event:
            return
        judged, pending = self._learned.judged, self._pending
        if judged.objection is not None:
            since = judged.objection.since
            pending.objections.append((since, event.at))
            pending.drafts = [each for each in pending.drafts if not is_draft_of_turn(*each, since=since)]
        is_proven = not isinstance(event, PromptSubmitted) or event.is_recorded
        for kept in judged.kept:
            # An agent can send any prompt to the hook program, so a request to remember counts only if it was typed.
            draft = kept.draft if is_proven else replace(kept.draft, on_purpose=False)
            pending.drafts.append((draft, event.at))
            self.state = reset_effort(self.state, to_ms(event.at))
        if judged.dropped is not None:
            pending.dropped += 1
            pending.count(pending.reasons, judged.dropped.reason)
            yield judged.dropped
        if judged.checkpoint is not None:
            pending.summary = (judged.checkpoint, event.at)

    def on_command(self, event: Event) -> Iterable[Event]:
        """Begin a turn, and collect the text of `/remember`. Its origin is user only if a person typed the command."""
        assert isinstance(event, CommandExpanded)
        self.state = self.learn(event).judged.state
        # The hook has already stored the text, unless it was interrupted; then the text must not be lost.
        if asks_to_remember(event):
            origin = Origin.USER if event.is_typed else Origin.AGENT
            self._pending.commanded.append((Draft(text=event.arguments, origin=origin), event.at))
        return ()

    def on_temporal(self, event: Event) -> Iterable[Event]:
        """Raise the time scale of the collected drafts to one that fits the age of the event."""
        served = Scale.at(self._context.now() - event.at)
        self._pending.drafts = [
            (replace(draft, scale=draft.scale.longer(served)), at) for draft, at in self._pending.drafts
        ]
        return ()

    def on_boundary(self, event: Event) -> Iterable[Event]:
        """Collect a change of subject as a fact about the session."""
        assert isinstance(event, BoundaryCrossed)
        fact = Fact(
            id=new_id("fact", to_ms(event.at)),
            agent=self.scope.agent,
            project=self.scope.project,
            subject=f"session:{event.session}",
            predicate="boundary_at",
            object=f"{format_time(event.at)} {event.summary}"[:400],
            origin=Origin.TOOL,
            valid_from=event.at,
        )
        payload = {"fact": encode_fact(fact)}
        self._pending.facts.append(Change(kind=ChangeKind.FACT, subject=fact.id, actor=CAPTURE, payload=payload))
        return ()

    def on_outcomes(self, event: Event) -> Iterable[Event]:
        """Record whether the memories that were shown to the model were used, contradicted or ignored."""
        said = "\n".join((*self._said, event.said if isinstance(event, TurnEnded) else ""))
        session, reading = self._context.session, self._context.reading()
        ended = isinstance(event, SessionEnded)
        found = find_outcomes(reading, session, said=said, failed=self._failed, ended=ended)
        if found:
            self._context.note(Receipt(id="", way="outcome", session=session, outcomes=found))
            self._pending.retired += retire_failed_fixes(found, session=session, reading=reading)
        self._said.clear()
        return ()

    # Writing

    def finish(self, cursor: Cursor) -> Batch:
        """Write the results of all events since the last call, together with `cursor`, the position in their source."""
        pending, self._pending = self._pending, _Pending()
        reading, self._reading = self._batch_reading(), None
        changes = [*pending.facts, *pending.retired, *self._command_changes(pending.commanded, reading)]
        for since, at in pending.objections:
            changes += retire_turn(since, at, scope=self.scope, session=self._context.session, reading=reading)
        admitted: list[Memory] = []
        for draft, at in merge_fixes(pending.drafts):
            if draft.type is Type.BUGFIX and is_forbidden(
                draft.text, draft.origin.ceiling, scope=self.scope, reading=reading, now=self._context.now()
            ):
                pending.count(pending.reasons, "forbidden by the user")
                continue
            told = find_stored_fix(draft, at, scope=self.scope, session=self._context.session, reading=reading)
            completed = complete_stored_fix(told.memory, draft) if told is not None else draft
            if completed is None:
                pending.count(pending.reasons, "already known")
                continue
            # Without a taint, because each draft was compared with what had been read when it was judged.
            door = self._context.admission(reading=reading, now=at, taint=Taint)
            outcome = door.admit(completed, correcting=told)
            # The store does not have the earlier memories of this batch yet.
            if isinstance(outcome, Admitted) and outcome.memory.content_hash not in {
                each.content_hash for each in admitted
            }:
                changes += [*door.changes, *supersede_replaced(outcome.memory, admitted)]
                admitted.append(outcome.memory)
            else:
                reason = "not fit to be kept" if isinstance(outcome, Rejected) else "already known"
                pending.count(pending.reasons, reason)
        changes += self._keep_repeated(pending, reading)
        changes += join_stated(admitted, self._context, reading)
        summary = self._summary_changes(pending.summary, reading, admitted) if pending.summary else []
        changes += summary
        kept = sum(memory.corrects is None for memory in admitted)
        changes.append(self._session_change(pending, kept, cursor))
        self._context.write(changes)
        return Batch(
            seen=pending.seen,
            dropped=pending.dropped,
            known=len(pending.drafts) - len(admitted),
            admitted=tuple(admitted),
            is_summarised=any(change.kind == ChangeKind.ADMIT for change in summary),
        )

    def _keep_repeated(self, pending: _Pending, reading: Reading) -> list[Change]:
        """Return the changes that keep memories the user has repeated, except those that were shown in this session."""
        receipts = reading.receipts(session=self._context.session, limit=_MOST_RESULTS) if pending.repeated else ()
        told = {name for receipt in receipts for name in receipt.ids}
        reason: dict[str, object] = {"earned": "stated again in another session"}
        repeated = (memory for memory in pending.repeated.values() if memory.id not in told)
        return [change_memory(ChangeKind.KEEP, memory, reason, actor=CAPTURE) for memory in repeated]

    def _command_changes(self, commanded: Sequence[tuple[Draft, datetime]], reading: Reading) -> list[Change]:
        """Return the changes that store the texts of commands such as `/remember`.

        If the hook has already stored a text with the origin agent, a memory with the origin user replaces it. A text
        whose memory was forgotten after the command is not stored again.
        """
        changes: list[Change] = []
        for draft, at in commanded:
            door = self._context.admission(reading=reading, now=at, actor=f"{draft.origin}:{self.scope.agent}")
            outcome = door.admit(draft)
            if isinstance(outcome, Admitted) and not self._is_forgotten_since(outcome.memory, at, reading):
                changes += door.changes
        return changes

    def _is_forgotten_since(self, memory: Memory, at: datetime, reading: Reading) -> bool:
        same = (each for token in self.scope.tokens() or () for each in reading.same_text(token, memory.content_hash))
        return any(each.status is Status.FORGOTTEN and each.memory.created_at >= at for each in same)

    def write_summary(self, at: datetime) -> None:
        """Write a summary of a session whose end was not reported, if there is anything to summarise."""
        draft = summarise(self.state, self._context.session)
        if draft is not None:
            self._context.write(self._summary_changes((draft, at), self._batch_reading(), []))

    def _batch_reading(self) -> Reading:
        """Return a snapshot of the store, which stays the same for the whole batch."""
        if self._reading is None:
            self._reading = self._context.reading()
        return self._reading

    def _summary_changes(
        self, summary: tuple[Draft, datetime], reading: Reading, fresh: Sequence[Memory]
    ) -> list[Change]:
        """Return the changes that store a summary and supersede the older one, or an empty list if both are the same.

        `fresh` contains the memories of this batch that are not stored yet.
        """
        draft, at = summary
        query = Query(scope=self.scope, session=self._context.session, now=at, limit=_MOST_RESULTS)
        known = [found.memory for found in reading.browse(query).items]
        older = next((memory for memory in known if memory.type is Type.SESSION_SUMMARY), None)
        if older is not None and _is_same_summary(older, draft):
            return []
        # As a memory derived from them, the summary is hidden or erased together with any of these memories.
        members = [memory for memory in (*known, *fresh) if memory.type not in SUMMARIES and _may_be_quoted(memory)]
        door = self._context.admission(reading=reading, now=at, taint=Taint)
        outcome = door.admit(replace(draft, sources=tuple(members)))
        changes = list(door.changes)
        if older is not None and isinstance(outcome, Admitted):
            changes.append(change_memory(ChangeKind.SUPERSEDE, older, {"by": outcome.memory.id}, actor=CAPTURE))
        return changes

    def _session_change(self, pending: _Pending, kept: int, cursor: Cursor) -> Change:
        payload: dict[str, object] = {
            **pending.counts,
            "agent": self.scope.agent,
            "project": self.scope.project,
            "transcript": self._transcript,
            "days": sorted({local_day(ms) for ms in pending.times}),
            "from": min(pending.times, default=0),
            "to": max(pending.times, default=0),
            "ended": pending.has_ended,
            "seen": pending.seen,
            "kept": kept,
            "dropped": pending.reasons,
            "taken": dict(cursor),
        }
        return Change(
            kind=ChangeKind.SESSION,
            subject=f"session:{self._context.session}",
            actor=CAPTURE,
            payload={name: value for name, value in payload.items() if value},
        )

    def _count_event(self, event: Reported) -> None:
        pending = self._pending
        pending.seen += 1
        pending.times.append(to_ms(event.at))
        match event:
            case ToolFinished():
                pending.count(pending.counts, "failures" if event.failed else "successes")
                self._said.append(f"{event.command}\n{event.output[:500]}" if event.files_modified else event.command)
                if event.failed and (tag := error_tag(find_error_line(event.output))):
                    self._failed.append(tag)
            case Compacted():
                pending.count(pending.counts, "compacted")
            case SessionEnded():
                pending.has_ended = True


def _is_same_summary(older: Memory, draft: Draft) -> bool:
    # A model may have put a paragraph before the summary.
    texts = (older.original_content, older.original_content.partition("\n\n")[2])
    return older.title == draft.title and any(jaccard(text, draft.text) > _SAME_SUMMARY for text in texts)


def _may_be_quoted(memory: Memory) -> bool:
    """Tell whether a summary may quote a memory. It may not if the memory's text comes from a file or from outside."""
    return memory.origin in (Origin.USER, Origin.AGENT, Origin.TOOL)
