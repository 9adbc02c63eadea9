"""Judge an event: decide what to store, detect a change of subject, and compute the new state of the session.

Judging has no side effects. The caller passes a function `novelty`, made with `novelty.py`, that tells how much a text
differs from everything stored. It is called only for texts that would otherwise be stored, because it queries the
store. The caller admits the drafts, and calls `reset_effort` for each one that is stored.
"""

from __future__ import annotations

from limpet.capture.boundaries import KEYWORDS, Window, detect_shift, extend_window, rank_keywords
from limpet.capture.candidate import GATE, TITLE, Candidate, Memorability
from limpet.capture.checkpoints import draft_summary, find_milestone
from limpet.capture.classify import explain_rest, find_candidates, routine_type, score_rest
from limpet.capture.notes import drop_lines, find_added_lines, note_host_summary, note_observation
from limpet.capture.reactions import (
    Objection,
    add_summary_lines,
    find_objection,
    note_interruption,
    note_prompt,
    prohibition_candidate,
    track_act,
)
from limpet.capture.score import TaskContext, score_candidate
from limpet.capture.speech.asking import find_request
from limpet.capture.speech.choices import find_options
from limpet.capture.speech.standalone import find_request_text, find_subject
from limpet.capture.speech.turn import Turn
from limpet.capture.state import Effort, SegmentState, measure_difficulty
from limpet.capture.taint import lower_candidate, track_own_words, track_source
from limpet.capture.tasks import track_tasks
from limpet.capture.tools.changes import short_path
from limpet.capture.tools.observe import Observation, observe
from limpet.capture.tools.pairs import track_failures
from limpet.lean.record import record, replace
from limpet.model.event import (
    Action,
    BoundaryCrossed,
    CommandExpanded,
    Compacted,
    DraftDropped,
    Event,
    Interrupted,
    PromptSubmitted,
    SessionEnded,
    ToolFinished,
)
from limpet.model.memory import Draft, Origin, Scale, Source, Type
from limpet.settings import CaptureSettings
from limpet.text.excerpt import shorten_line
from limpet.text.prohibition import find_commands, forbids
from limpet.text.questions import ends_with_question
from limpet.text.similarity import contains

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Novelty = Callable[[str], float]

_FOCUS, _FILES, _FORBIDDEN = 24, 20, 12


@record
class KeptDraft:
    """A draft memory to store, with its score and the reason for storing it."""

    draft: Draft
    memorability: Memorability | None
    why: str


@record
class Judgement:
    """The outcome of judging one event: the new state, the drafts to store, and anything else that was detected."""

    state: SegmentState
    kept: tuple[KeptDraft, ...] = ()
    dropped: DraftDropped | None = None
    boundary: BoundaryCrossed | None = None
    checkpoint: Draft | None = None
    objection: Objection | None = None
    """The user's objection to the agent's last turn. The fixes and decisions of that turn are then not stored."""


def judge(
    state: SegmentState,
    event: Event,
    *,
    novelty: Novelty | None = None,
    settings: CaptureSettings | None = None,
    transcript: str | None = None,
    root: str | None = None,
) -> Judgement:
    """Judge an event and return the outcome.

    If `novelty` is None, every text counts as new. `transcript` names the recording that contains the event, and `root`
    is the folder of the project.
    """
    settings = settings or CaptureSettings()
    seen = observe(event)
    if isinstance(event, ToolFinished):
        taint = track_source(state.taint, event, root=root)
        state = replace(state, effort=state.effort.after_tool(failed=event.failed), taint=taint)
        if event.interrupted and event.subagent is None:
            return Judgement(state=replace(state, last=note_interruption(state.last, event)))
    elif isinstance(event, Interrupted):
        return Judgement(state=replace(state, last=note_interruption(state.last)))
    elif isinstance(event, PromptSubmitted):
        state = replace(state, taint=track_source(state.taint, event, root=root))
    elif isinstance(event, Compacted):
        # The host may have summed up what was read or pasted.
        is_repeated = bool(state.taint.find(event.summary))
        notes = state.notes if is_repeated else note_host_summary(state.notes, event.summary)
        state = replace(state, effort=replace(state.effort, compacted=True), notes=notes)
        return Judgement(state=state, checkpoint=summarise(state, event.session, "compaction"))
    elif isinstance(event, SessionEnded):
        return Judgement(state=state, checkpoint=summarise(state, event.session, "session end"))
    if seen is not None:
        return _judge_observation(state, seen, novelty, settings, transcript)
    if isinstance(event, PromptSubmitted | CommandExpanded):
        # Nothing is learnt from its words, but what the agent does next is another turn.
        state = replace(state, last=note_prompt(state.last, event.at))
    return Judgement(state=state)


def reset_effort(state: SegmentState, since_ms: int) -> SegmentState:
    """Return the state with its effort counters reset, after a memory was stored at `since_ms`."""
    return replace(state, effort=Effort(since_ms=since_ms))


def summarise(state: SegmentState, session: str, reason: str = "session end") -> Draft | None:
    """Return a draft memory that summarises the session, or None if there is nothing to summarise.

    `reason` tells why the summary is made, such as "session end" or "compaction".
    """
    # The agent may have planned what a page told it to do.
    tasks = replace(
        state.tasks,
        open=tuple(each for each in state.tasks.open if not state.taint.find(each[-1])),
        finished=tuple(each for each in state.tasks.finished if not state.taint.find(each)),
    )
    notes = replace(state.notes, reported="") if state.taint.find(state.notes.reported) else state.notes
    made = draft_summary(notes, state.pending, tasks=tasks, session=session, reason=reason)
    return None if made is None else replace(made, difficulty=measure_difficulty(state.effort))


def _judge_observation(
    state: SegmentState, seen: Observation, novelty: Novelty | None, settings: CaptureSettings, transcript: str | None
) -> Judgement:
    window, shift = _track_shift(state, seen)
    pending, pair = track_failures(state.pending, seen)
    context = TaskContext(focus=state.focus, files=state.files)
    found = ([pair] if pair is not None and not _is_forbidden(pair, state) else []) + find_candidates(seen, state.turn)
    objection = None
    if seen.action is None and seen.origin is Origin.USER:
        objection = find_objection(state.last, seen.text, is_answer=state.turn.agent_asked)
    if objection is not None:
        state, found = _drop_rejected_work(state, objection, found)
        pending = state.pending
    found = [lower_candidate(each, state.taint) for each in found]
    passed, best = _select_candidates(found, context, novelty, settings.gate)
    effort = measure_difficulty(state.effort)
    notes = note_observation(state.notes, seen, [each for each, _ in passed], pending)
    is_work = any(is_work_of_turn(each.type, each.origin) for each, _ in passed)
    # What the agent has found out can be disproved by the user's next message, as its work can be rejected.
    is_work = is_work or (seen.action is None and seen.origin is not Origin.USER)
    lines = find_added_lines(state.notes, notes) if is_work else ()
    state = replace(
        _track_focus(state, seen),
        window=window,
        pending=pending,
        observations=state.observations + 1,
        notes=notes,
        tasks=track_tasks(state.tasks, seen) if seen.action is Action.PLAN else state.tasks,
        taint=track_own_words(state.taint, seen),
        last=add_summary_lines(track_act(state.last, seen), lines),
    )
    due = find_milestone(state.notes, state.tasks, seen, state.observations)
    # The summary so far may tell what the user objects to.
    due = due or ("an objection" if objection is not None else "")
    checkpoint = summarise(state, seen.session, due) if due else None
    if due and not due.startswith("every"):
        state = replace(state, notes=replace(state.notes, edits=0))
    return Judgement(
        state=state,
        kept=tuple(
            KeptDraft(draft=_make_draft(each, weight, seen, effort, transcript), memorability=weight, why=each.why)
            for each, weight in passed
        ),
        dropped=None if passed else _drop_event(seen, best),
        boundary=BoundaryCrossed(session=seen.session, at=seen.at, summary=shift) if shift else None,
        checkpoint=checkpoint,
        objection=objection,
    )


def is_work_of_turn(type: Type | None, origin: Origin | None) -> bool:
    """Tell whether a memory of this type and origin is a fix or decision of the agent, which the user can reject."""
    return type in (Type.BUGFIX, Type.DECISION) and origin is not Origin.USER


def _is_forbidden(pair: Candidate, state: SegmentState) -> bool:
    commands = find_commands(pair.text)
    return any(forbids(rule, command) for rule in state.forbidden for command in commands)


def _drop_rejected_work(
    state: SegmentState, objection: Objection, found: list[Candidate]
) -> tuple[SegmentState, list[Candidate]]:
    """Return the state without the fixes and decisions that the user rejected, and the new list of candidates.

    If the objection forbids an action, a prohibition is added to the candidates. Candidates that only repeat the
    objection are then dropped, because the prohibition quotes it.
    """
    made = prohibition_candidate(objection)
    if made is not None:
        found = [made, *(each for each in found if not contains(each.text, objection.words))]
    state = replace(
        state,
        notes=drop_lines(state.notes, state.last.summary_lines),
        # What was changed in that turn can no longer be the fix of what still fails.
        pending=tuple(replace(each, steps=(), settled=0, prepared=()) for each in state.pending),
        forbidden=(*state.forbidden, made.text)[-_FORBIDDEN:] if made is not None else state.forbidden,
    )
    return state, found


def _track_shift(state: SegmentState, seen: Observation) -> tuple[Window, str]:
    """Return the window with the observation added, and a description of the change of subject.

    The description is an empty string if the subject stays the same. A tool result is compared only if it has at least
    `KEYWORDS` keywords, a prompt only if it has half as many. An agent's message is never compared, because it
    answers a prompt.
    """
    text = _find_topic(seen)
    enough = KEYWORDS if seen.action is not None else KEYWORDS // 2
    if (seen.action is None and seen.origin is not Origin.USER) or len(rank_keywords(text)) < enough:
        return extend_window(state.window, text), ""
    return detect_shift(state.window, text)


def _select_candidates(
    found: list[Candidate], context: TaskContext, novelty: Novelty | None, gate: float
) -> tuple[list[tuple[Candidate, Memorability]], Memorability | None]:
    passed = []
    best: Memorability | None = None
    for each in found:
        weight = _score_with_novelty(each, context, novelty, gate)
        if _passes(each, weight, gate):
            passed.append((each, weight))
        if best is None or weight.total > best.total:
            best = weight
    return passed, best


def _score_with_novelty(each: Candidate, context: TaskContext, novelty: Novelty | None, gate: float) -> Memorability:
    """Return the score of a candidate. `novelty` is called only if the candidate would be stored if it were new."""
    weight = score_candidate(each, context=context)
    if novelty is not None and _passes(each, weight, gate):
        return replace(weight, novelty=min(1.0, max(0.0, novelty(each.text))))
    return weight


def _passes(each: Candidate, weight: Memorability, gate: float) -> bool:
    """Tell whether a candidate is new and, unless the user asked to remember it, has a score of at least `gate`."""
    return not weight.is_known if each.on_purpose else weight.passes(gate)


def _drop_reason(weight: Memorability) -> str:
    return "already known" if weight.is_known else "below the gate"


def _drop_event(seen: Observation, best: Memorability | None) -> DraftDropped:
    if best is None:
        return DraftDropped(session=seen.session, at=seen.at, reason="routine")
    return DraftDropped(session=seen.session, at=seen.at, reason=_drop_reason(best), score=best.total)


def _track_focus(state: SegmentState, seen: Observation) -> SegmentState:
    """Return the state with the current request, the keywords and the files of the work updated."""
    if seen.origin is Origin.USER:
        focus = tuple(dict.fromkeys((*rank_keywords(seen.text, _FOCUS // 2), *state.focus)))[:_FOCUS]
        asked = find_request(seen.text, state.turn.asked, pasted=seen.foreign)
        return replace(state, focus=focus, turn=Turn(asked=asked, request=find_request_text(seen.text)))
    if seen.action is None:
        asks = ends_with_question(seen.text)
        is_own = not state.taint.find(seen.text)
        options = find_options(seen.text) if asks and is_own else ()
        subject = find_subject(seen.text) if is_own else ""
        return replace(state, turn=replace(state.turn, agent_asked=asks, options=options, subject=subject))
    if seen.files_modified:
        return replace(
            state,
            turn=replace(state.turn, acted=True),
            files=tuple(dict.fromkeys((*seen.files_modified, *state.files)))[:_FILES],
        )
    return state


def _find_topic(seen: Observation) -> str:
    """Return the text that shows the subject of an observation.

    For a tool call this is the command, the names of its files and the start of its output. Otherwise it is the
    message.
    """
    if seen.action is None:
        return seen.text
    parts = (seen.command, *(short_path(path) for path in seen.files[:4]), seen.text[:600])
    return " ".join(part for part in parts if part)


def _make_draft(
    each: Candidate, weight: Memorability, seen: Observation, effort: float, transcript: str | None
) -> Draft:
    source = Source(transcript=transcript, line=seen.line, commit=each.commit)
    return Draft(
        text=each.text,
        type=each.type,
        concepts=each.concepts or None,
        tags=each.tags or None,
        title=shorten_line(each.title, TITLE) or None,
        subtitle=each.subtitle or None,
        importance=weight.importance,
        difficulty=effort,
        origin=each.origin,
        drawn_from=each.drawn_from,
        scale=Scale.IMMEDIATE,
        on_purpose=each.on_purpose,
        session=seen.session,
        source=source if source != Source() else None,
        files_read=each.files_read,
        files_modified=each.files_modified,
    )


@record
class Explanation:
    """An explanation of whether a text would be stored, and why."""

    tier: str
    """`noted`, or `kept` if the user asked to remember the text; an empty string if it would not be stored."""
    gate: float
    why: str
    """Why the text was considered and, if it would not be stored, why not."""
    type: str
    title: str
    text: str
    memorability: Memorability


def explain(
    event: Event, state: SegmentState | None = None, *, novelty: Novelty | None = None, gate: float = GATE
) -> tuple[Explanation, ...]:
    """Return an explanation for each memory candidate in an event.

    An event without a candidate gets one explanation for the whole event. An event that is never judged gets none.
    """
    state = state or SegmentState()
    seen = observe(event)
    if seen is None:
        return ()
    pending, pair = track_failures(state.pending, seen)
    found = ([pair] if pair is not None else []) + find_candidates(seen, state.turn)
    context = TaskContext(focus=state.focus, files=state.files)
    weighed = [(each, _score_with_novelty(each, context, novelty, gate)) for each in found]
    if weighed:
        return tuple(_explain_candidate(each, weight, gate) for each, weight in weighed)
    return (
        Explanation(
            tier="",
            gate=gate,
            why=explain_rest(seen, waits=len(pending) > len(state.pending) or (seen.failed and not seen.command)),
            type=routine_type(seen).value,
            title=shorten_line(seen.command or seen.text, 80),
            text="",
            memorability=score_rest(seen),
        ),
    )


def _explain_candidate(each: Candidate, weight: Memorability, gate: float) -> Explanation:
    is_stored = _passes(each, weight, gate)
    return Explanation(
        tier="" if not is_stored else "kept" if each.on_purpose else "noted",
        gate=gate,
        why=each.why if is_stored else f"{each.why}, {_drop_reason(weight)}",
        type=each.type.value,
        title=each.title,
        text=each.text,
        memorability=weight,
    )
