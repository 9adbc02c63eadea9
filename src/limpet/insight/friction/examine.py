"""Turn the events of one conversation into signals of friction.

Only words that the person typed count. Notifications, expanded commands and texts from sub-agents do not arrive here as
prompts, and `own_words` removes pasted and quoted text. A call that was refused by a hook or a permission rule, or that
was cancelled together with others, never ran, so it is no error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta

from limpet.hosts.refusals import was_cancelled_with_others, was_refused_by_guard
from limpet.insight.friction.calls import CallLog, Follower, RelatedObjection
from limpet.insight.friction.measures import ConversationMeasures, Evidence
from limpet.insight.friction.signals import ENDING, Signal, SignalEvent
from limpet.insight.quotes import quote_error, quote_person
from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.lean.record import field, mutable
from limpet.model.event import (
    Action,
    CommandExpanded,
    Compacted,
    Interrupted,
    PromptSubmitted,
    Reported,
    SessionStarted,
    ToolFinished,
    TurnEnded,
)
from limpet.text.objections import find_any_reaction
from limpet.text.plural import plural
from limpet.text.questions import ends_with_question
from limpet.text.reactions import Reaction, ReactionKind

_SILENCE = timedelta(minutes=10)
_CASCADE = timedelta(seconds=60)
_LOOP = 3
"""The number of identical consecutive calls that count as a loop."""
_RECENT = 8
"""A reaction counts as recent if it is one of this many last signals."""
_LAST = 5
"""How many of the last signals determine whether a session was abandoned."""
_ABANDONED = 8.0
"""The minimum sum of the last signals' weights for a session to count as abandoned."""
_WINDOW = 5
"""The number of turns before a reaction that belong to its evidence."""

# Tools that wait for something that still runs, so that equal calls in a row are no loop.
_POLLING = frozenset(
    (
        "BashOutput",
        "TaskOutput",
        "AgentOutput",
        "Monitor",
        "Sleep",
        "read_shell",
        "write_stdin",
        "wait_agent",
        "TaskGet",
    )
)
_CLAIM = lazy(
    r"\b(?:done|completed?|success(?:ful(?:ly)?)?|succeeded|fixed|works now|all (?:tests )?pass(?:ed|ing)?)\b|✅"
)
_ADMISSION = lazy(
    r"\b(?:fail\w*+|error\w*+|not|\w+n't|cannot|unable|however|but|still|unfortunately|blocked|broken|problem|issue"
    r"|remaining|warning\w*+)\b"
)


@mutable
class _Turn:
    """A prompt and the events until the next prompt."""

    words: str = ""
    tools: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    """The number of the incident of each failed or repeated call, by the key of the call."""


class Examiner:
    """A reader of the events of one conversation that collects signals, evidence and calls.

    `own_words` removes pasted and quoted text from a prompt. `follower` relates objections to calls. Events up to
    `quotes_since` are counted but not quoted.
    """

    def __init__(
        self, *, own_words: Callable[[str], str], follower: Follower, quotes_since: datetime | None = None
    ) -> None:
        self._own_words = own_words
        self._quotes_since = quotes_since
        self._follower = follower
        self._calls = CallLog()
        self._path, self._line = "", 0
        self._related = RelatedObjection()
        self._signals: list[SignalEvent] = []
        self._evidence: list[Evidence] = []
        self._turns: deque[_Turn] = deque([_Turn()], maxlen=_WINDOW + 1)
        self._turn = self._tools = self._errors = self._successes = self._refused = self._checkpoints = 0
        self._incidents = 0
        self._is_scripted = False
        self._begins: datetime | None = None
        self._last: datetime | None = None
        self._has_acted = self._has_asked = False
        self._open_error: tuple[int, ToolFinished, int] | None = None
        self._call, self._repeats = "", 0
        self._prompts: set[str] = set()
        self._stopped_at: datetime | None = None
        self._stop_incident: int | None = None
        self._in_cascade = self._was_stopped = False

    def read(self, event: Reported, *, path: str = "", line: int = 0) -> None:
        """Process the next event; `path` and `line` are its place in the transcript."""
        self._path, self._line = path, line
        match event:
            case SessionStarted():
                self._is_scripted = self._is_scripted or event.is_scripted
            case PromptSubmitted():
                self._on_prompt(event)
            case CommandExpanded() if event.name.rpartition(":")[2] == "stash":
                self._on_stash(event.at)
            case ToolFinished():
                self._on_tool(event)
            case TurnEnded():
                self._on_turn_end(event)
            case Interrupted():
                self._on_stop(event.at)
            case Compacted():
                self._add_signal(Signal.COMPACTION, event.at)
        self._follower.read(event)
        self._was_stopped = isinstance(event, Interrupted) or (isinstance(event, ToolFinished) and event.interrupted)
        self._begins = self._begins or event.at
        self._last = max(self._last or event.at, event.at)

    def finish(self, *, session: str, host: str, project: str, copies: int = 0) -> ConversationMeasures | None:
        """End the conversation and return its measures; None if it had neither a prompt nor a call."""
        if self._begins is None or self._last is None or not (self._turn or self._tools):
            return None
        self._add_ending(self._last)
        return ConversationMeasures(
            session=session,
            host=host,
            project=project,
            begins=self._begins,
            ends=self._last,
            is_scripted=self._is_scripted,
            turns=self._turn,
            tools=self._tools,
            errors=self._errors,
            successes=self._successes,
            refused=self._refused,
            checkpoints=self._checkpoints,
            signals=tuple(self._signals),
            evidence=tuple(self._evidence),
            copies=copies,
            calls=self._calls.all,
        )

    def _add_signal(self, signal: Signal, at: datetime, details: str = "", *, incident: int | None = None) -> int:
        """Add a signal to an incident, or to a new one if `incident` is None, and return the number of the incident."""
        if incident is None:
            self._incidents += 1
            incident = self._incidents
        event = SignalEvent(signal=signal, at=at, turn=self._turn, incident=incident, details=details)
        self._signals.append(event)
        if signal.is_reaction:
            self._add_evidence(event)
        return incident

    def _may_quote(self, at: datetime) -> bool:
        """Tell whether text from this time may be quoted; older text may have been purged."""
        return self._quotes_since is None or at > self._quotes_since

    def _quote(self, text: str, at: datetime, limit: int = 500) -> str:
        return quote_person(text, limit) if self._may_quote(at) else ""

    def _find_recent_reaction(self) -> SignalEvent | None:
        return next((each for each in reversed(self._signals[-_RECENT:]) if each.signal.is_reaction), None)

    def _add_evidence(self, event: SignalEvent) -> None:
        # Each incident has one piece of evidence, with the heaviest of its reactions.
        known = next((each for each in self._evidence if each.event.incident == event.incident), None)
        if known is not None:
            if known.event.signal.weight >= event.signal.weight:
                return
            self._evidence.remove(known)
        turns = [each for each in self._turns if each.words or each.tools]
        self._evidence.append(
            Evidence(
                event=event,
                words=tuple(each.words for each in turns if each.words)[-3:],
                tools=tuple(tool for each in turns for tool in each.tools)[-15:],
                errors=tuple(dict.fromkeys(error for each in turns for error in each.errors))[-5:],
                files=tuple(dict.fromkeys(file for each in turns for file in each.files))[-10:],
                turns=len(turns),
                path=self._path,
                line=self._line,
                about=self._related.about,
            )
        )

    def _on_prompt(self, event: PromptSubmitted) -> None:
        own = self._own_words(event.text).strip()
        self._turn += 1
        self._call, self._repeats = "", 0
        self._turns.append(_Turn(words=self._quote(own, event.at)))
        if self._last is not None and event.at - self._last > _SILENCE and self._find_recent_reaction() is not None:
            minutes = (event.at - self._last).total_seconds() / 60
            self._add_signal(Signal.LONG_SILENCE, event.at, f"{minutes:.0f} minutes")
        if own.split()[:1] == ["/stash"]:
            self._on_stash(event.at)
            return
        incident = self._stop_incident if self._was_stopped else None
        reaction = find_any_reaction(own, is_answer=self._has_asked) if self._has_acted else None
        related = self._follower.relate(reaction, own) if reaction is not None else None
        if reaction is not None and related is not None:
            self._related = related
            incident = self._on_reaction(reaction, event.at, incident)
            self._related = RelatedObjection()
        self._calls.judge(related, own, is_objection=related is not None or incident is not None)
        head = " ".join(own.lower().split())[:100]
        if len(head) > 20 and head in self._prompts:
            self._add_signal(Signal.REPEATED_QUESTION, event.at, self._quote(own, event.at, 100), incident=incident)
        self._prompts.add(head)
        self._has_asked = False

    def _on_reaction(self, reaction: Reaction, at: datetime, incident: int | None) -> int:
        words = self._quote(reaction.words, at, 200)
        if reaction.kind is not ReactionKind.CURSE:
            details = f"{reaction.kind}: {words}" if words else reaction.kind.value
            incident = self._add_signal(Signal.USER_NEGATION, at, details, incident=incident)
        if reaction.is_curse or reaction.kind is ReactionKind.CURSE:
            incident = self._add_signal(Signal.USER_CURSE, at, words, incident=incident)
        assert incident is not None
        return incident

    def _on_stash(self, at: datetime) -> None:
        reaction = self._find_recent_reaction()
        if reaction is None:
            self._checkpoints += 1
        else:
            self._add_signal(Signal.USER_INTERVENTION, at, "/stash", incident=reaction.incident)

    def _on_tool(self, event: ToolFinished) -> None:
        self._tools += 1
        self._has_acted = True
        turn = self._turns[-1]
        if was_refused_by_guard(event.output):
            self._refused += 1
            return
        if event.failed and was_cancelled_with_others(event.output):
            return
        self._calls.add(event, self._path, self._line)
        if self._may_quote(event.at):
            turn.files.extend(each for each in (*event.files_modified, *event.files_read) if each not in turn.files)
        if event.interrupted:
            self._on_stop(event.at)
            return
        given = "\n".join(f"{name}={event.input[name]!r}" for name in sorted(event.input))
        key = sha256(f"{event.tool}\n{event.command}\n{given}".encode("utf-8", "surrogatepass")).hexdigest()
        turn.tools.append(f"{event.tool}:{'error' if event.failed else 'ok'}")
        if event.failed:
            self._on_error(event, key, turn)
        else:
            self._successes += 1
            if self._open_error is not None and (
                event.action in (Action.RUN, Action.EDIT) or event.tool == self._open_error[1].tool
            ):
                self._open_error = None
        self._count_repeats(event, key, turn)

    def _on_error(self, event: ToolFinished, key: str, turn: _Turn) -> None:
        self._errors += 1
        line = quote_error(event.output) if self._may_quote(event.at) else ""
        if line and line not in turn.errors:
            turn.errors.append(line)
        named = f"{event.tool}: {line}" if line else event.tool
        incident = self._add_signal(Signal.EXIT_ERROR, event.at, named, incident=turn.calls.get(key))
        turn.calls[key] = incident
        self._open_error = (incident, event, self._turn)

    def _count_repeats(self, event: ToolFinished, key: str, turn: _Turn) -> None:
        """Add a loop signal after three identical calls; a different command or edit between them resets the count."""
        if event.tool in _POLLING:
            return
        if key == self._call:
            self._repeats += 1
            if self._repeats == _LOOP:
                incident = self._add_signal(Signal.TOOL_LOOP, event.at, event.tool, incident=turn.calls.get(key))
                turn.calls[key] = incident
        elif event.action in (Action.RUN, Action.EDIT) or not self._call:
            self._call, self._repeats = key, 1

    def _on_stop(self, at: datetime) -> None:
        if self._was_stopped:
            # Hosts record an interruption after a call that the user did not allow; both are the same interruption.
            return
        self._has_acted = True
        is_soon = self._stopped_at is not None and at - self._stopped_at <= _CASCADE
        incident = self._add_signal(Signal.REQUEST_INTERRUPTED, at, incident=self._stop_incident if is_soon else None)
        if is_soon and not self._in_cascade:
            seconds = (at - self._stopped_at).total_seconds() if self._stopped_at else 0
            self._add_signal(Signal.INTERRUPT_CASCADE, at, f"{seconds:.0f} s between interruptions", incident=incident)
        self._in_cascade = is_soon
        self._stopped_at, self._stop_incident = at, incident

    def _on_turn_end(self, event: TurnEnded) -> None:
        self._has_acted = True
        self._has_asked = ends_with_question(event.said)
        if self._open_error is None or self._open_error[2] != self._turn:
            return
        said = event.said.casefold().replace("’", "'")
        if _CLAIM.search(said) and not _ADMISSION.search(said):
            words = self._quote(event.said, event.at, 200)
            self._add_signal(Signal.FALSE_SUCCESS, event.at, words, incident=self._open_error[0])

    def _add_ending(self, at: datetime) -> None:
        """Add signals for how the conversation ended, each to the incident that led to this ending."""
        if not self._signals:
            return
        last, gave_up = self._signals[-1], any(each.signal is Signal.USER_INTERVENTION for each in self._signals)
        reaction = self._find_recent_reaction()
        ended_badly = self._open_error is not None or self._was_stopped
        was_left = ended_badly or (reaction is not None and reaction.at == at)
        ending = sum(ENDING.get(each.signal, 0) for each in self._signals[-_LAST:])
        if 0 < self._turn < 3 and ended_badly:
            prompts = plural(self._turn, "prompt")
            incident = self._open_error[0] if self._open_error else last.incident
            self._add_signal(Signal.RAPID_EXIT, at, f"after {prompts}", incident=incident)
        if self._open_error is not None and self._turn > 1 and not gave_up:
            self._add_signal(Signal.NO_RESOLUTION, at, self._open_error[1].tool, incident=self._open_error[0])
        if ending >= _ABANDONED and was_left and reaction is not None and self._turn > 2 and not gave_up:
            self._add_signal(Signal.SESSION_ABANDONED, at, incident=reaction.incident)
