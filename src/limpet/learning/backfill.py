"""Makes memories of the sessions already on disk, with the same stages that learn from what hooks report.

How far a session's files were used is written into the journal together with what was made of them, so whoever stops
in the middle, by whatever means, goes on there, and a second run finds nothing to do.

A session that hooks have reported was learnt from them, or will be: it is passed over. Only if its files begin before
the first thing that the hooks saw, because Limpet was installed in between or its hooks did not run, the part before
that moment is learnt; the moment is written down too, since from then on the session is older than its hooks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext

from limpet import clock
from limpet.capture.state import SegmentState
from limpet.errors import SettingsError, UsageError
from limpet.hosts.recorded import PREFIX, Recorded, Replay
from limpet.lean.record import field, mutable, record, replace
from limpet.learning.bus import Bus
from limpet.learning.recorded import States, as_reported
from limpet.learning.session import Desk, SessionWork, Tally
from limpet.learning.stages import working
from limpet.learning.turn import PATIENCE_MS, turn
from limpet.model.change import Change
from limpet.model.event import MemoryAdmitted, SessionEnded
from limpet.model.memory import Memory, Sensitivity, Type
from limpet.queue import files as queue
from limpet.store.protocol import Progress, Reading, no_progress

BATCH = 100
HOOKS = "hooks"
"""Under this name a session keeps the moment from which on hooks have seen it."""
SLACK_MS = 60_000
"""What a host has written down less than this before its first hook is what that hook was about."""
EXAMPLES = 5


@record
class Tools:
    """What the work needs from whoever asks for it."""

    home: str
    reading: Callable[[], Reading]
    desk_for: Callable[[str, str, str | None], Desk]
    """By folder, session and branch."""
    rest: Callable[[], None]
    """Lets the store finish what it puts off, so that a batch finds the same store whether or not we were stopped."""
    log: Callable[[str], None]
    progress: Progress = no_progress
    dry: bool = False
    patience_ms: int = PATIENCE_MS


@mutable
class Filled:
    """What came of it."""

    found: int = 0
    sessions: int = 0
    """Those from which something was read in this run."""
    done: int = 0
    """Those that need no more work, whoever did it."""
    events: int = 0
    kept: int = 0
    known: int = 0
    summaries: int = 0
    live: int = 0
    """Those that hooks have reported."""
    nowhere: int = 0
    """Those that do not say in which folder they worked."""
    off: int = 0
    """Those of projects in which nothing is to be captured."""
    unread: int = 0
    """Lines that could not be read."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Files or sessions, each with what is wrong."""
    examples: list[Memory] = field(default_factory=list)
    stopped: bool = False
    busy: bool = False
    dry: bool = False


def fill(sessions: Sequence[Recorded], tools: Tools, answer: Filled) -> Filled:
    """Work through the sessions, oldest first; `answer` is filled in on the way, so that it holds if we are stopped."""
    answer.found, answer.dry = len(sessions), tools.dry
    hooked = {name.rpartition("/")[2]: name for name in reversed(queue.names(tools.home))}
    hashes: set[str] = set()
    reading = tools.reading()
    left = [_unread(recorded, reading) for recorded in sessions]
    total, passed = sum(left), 0
    try:
        for number, recorded in enumerate(sessions, 1):

            def tick(read: int, number: int = number, passed: int = passed) -> None:
                tools.progress(f"session {number} of {len(sessions)}, {answer.kept} kept", passed + read, total)

            tick(0)
            _fill_one(recorded, tools, answer, hooked, hashes, tick)
            passed += left[number - 1]
            if answer.busy:
                break
    except KeyboardInterrupt:
        answer.stopped = True
    return answer


def _unread(recorded: Recorded, reading: Reading) -> int:
    """The bytes that are still to be read, by which the time that is left is told."""
    known = reading.session(recorded.session)
    taken = known.taken if known else {}
    return sum(max(0, file.size - taken.get(file.source, 0)) for file in recorded.files)


def _fill_one(
    recorded: Recorded,
    tools: Tools,
    answer: Filled,
    hooked: Mapping[str, str],
    hashes: set[str],
    tick: Callable[[int], None],
) -> None:
    with nullcontext(True) if tools.dry else turn(tools.home, patience_ms=tools.patience_ms) as ours:
        if not ours:
            answer.busy = True
            return
        try:
            _Filling(recorded, tools, answer, hashes).run(_hooked_from(recorded, tools, hooked), tick)
            answer.done += 1
        except (OSError, ValueError, UsageError, SettingsError) as error:
            # Of this session only: what the store has to complain of is another kind of error, and ends the run.
            answer.failed.append((recorded.files[0].path, _sentence(error)))


def _sentence(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _hooked_from(recorded: Recorded, tools: Tools, hooked: Mapping[str, str]) -> int | None:
    """The moment from which on hooks have seen the session; none if they never did."""
    known = tools.reading().session(recorded.session)
    if known is not None and HOOKS in known.taken:
        return known.taken[HOOKS]
    moments = []
    if known is not None and any(not name.startswith(PREFIX) for name in known.taken):
        moments.append(clock.to_ms(known.started_at))
    name = hooked.get(queue.key_of(recorded.session))
    first = next(queue.read(tools.home, name), None) if name else None
    if first is not None and isinstance(first[1].get("at"), int):
        moments.append(first[1]["at"])
    return min(moments, default=None)


class _Filling:
    """One session, from where it was left to its end."""

    def __init__(self, recorded: Recorded, tools: Tools, answer: Filled, hashes: set[str]) -> None:
        self._recorded, self._tools, self._answer, self._hashes = recorded, tools, answer, hashes
        known = tools.reading().session(recorded.session)
        taken = known.taken if known else {}
        self._taken = {name: place for name, place in taken.items() if name.startswith(PREFIX)}
        self._counted = Tally()
        self._is_summarised = False
        self._states = States(tools.home, recorded, keeps=not tools.dry)

    def run(self, hooked: int | None, tick: Callable[[int], None]) -> None:
        from limpet.hosts.transcript import Skipped

        before = None if hooked is None else hooked - SLACK_MS
        if before is not None and clock.to_ms(self._recorded.begins) >= before:
            self._answer.live += 1
            return
        skipped = Skipped()
        replay = Replay(self._recorded, self._taken, before=before, skipped=skipped)
        try:
            if not replay.is_over:
                self._start(replay, hooked, tick)
            self._states.drop()
        finally:
            replay.close()
            self._answer.unread += skipped.broken + skipped.too_long

    def _start(self, replay: Replay, hooked: int | None, tick: Callable[[int], None]) -> None:
        first = self._recorded.files[0]
        desk = self._desk(first.branch) if self._recorded.folder else None
        if desk is None or desk.scope.project is None:
            # What belongs to no project would show in all of them.
            self._answer.nowhere += 1
            return
        if not desk.settings.enabled:
            self._answer.off += 1
            return
        self._answer.sessions += 1
        self._tools.rest()
        state = self._states.at(self._taken) if self._taken else SegmentState()
        self._work(SessionWork(desk, state, transcript=first.path), replay, hooked, tick)

    def _work(self, work: SessionWork, replay: Replay, hooked: int | None, tick: Callable[[int], None]) -> None:
        bus = Bus(working(work), log=self._tools.log)
        extra = {} if hooked is None else {HOOKS: hooked}
        waiting = 0
        for seen in replay:
            event = as_reported(seen, self._recorded)
            if event is not None:
                bus.publish(event)
            waiting += 1
            if replay.is_over:
                # What is left of the session and its end are written together, so that no end is ever missing.
                if hooked is None:
                    bus.publish(SessionEnded(session=self._recorded.session, at=seen.event.at))
                self._write(work, replay, extra)
            elif waiting >= BATCH and replay.is_between:
                self._write(work, replay, extra)
                waiting = 0
                tick(sum(replay.places.values()) - sum(self._taken.values()))
        self._answer.summaries += self._is_summarised

    def _desk(self, branch: str | None) -> Desk:
        desk = self._tools.desk_for(self._recorded.folder, self._recorded.session, branch)
        keep = desk.write

        def write(changes: Sequence[Change]) -> object:
            self._is_summarised = self._is_summarised or any(map(_is_summary, changes))
            return None if self._tools.dry else keep(changes)

        return replace(desk, write=write, note=(lambda receipt: None) if self._tools.dry else desk.note)

    def _write(self, work: SessionWork, replay: Replay, extra: dict[str, int]) -> None:
        places = replay.places or {self._recorded.files[0].source: 0}
        self._states.keep(places, work.state)
        (source, place), *others = (places | extra).items()
        caused = work.finish(source=source, place=place, beside=dict(others))
        self._tools.rest()
        made = [each.memory for each in caused if isinstance(each, MemoryAdmitted)]
        if self._tools.dry:
            # Nothing is stored, so that the same was met before is known only here.
            made = [each for each in made if each.content_hash not in self._hashes]
            self._hashes.update(each.content_hash for each in made)
        self._answer.kept += len(made)
        self._answer.events += work.tally.seen - self._counted.seen
        self._answer.known += work.tally.known - self._counted.known
        self._counted = replace(work.tally)
        shown = [each for each in made if each.sensitivity is Sensitivity.PUBLIC]
        self._answer.examples = [*self._answer.examples, *shown][-EXAMPLES:]


def _is_summary(change: Change) -> bool:
    memory = change.payload.get("memory")
    return isinstance(memory, dict) and memory.get("type") == Type.SESSION_SUMMARY
