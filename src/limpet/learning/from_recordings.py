"""Learn from the sessions that hosts have recorded on disk, with the same stages that learn from hooks.

The position in a session's files is written into the journal together with what was learnt from them, so a run that was
stopped continues there, and a second run finds nothing to do.

A session that hooks have reported is skipped, because it is learnt from the queue. If its files begin before the first
event of the hooks, because Limpet was installed in between or its hooks did not run, only the part before that moment
is learnt; the moment is recorded too, so that later runs know where the hooks began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext

from limpet import clock
from limpet.environment import is_own_folder
from limpet.errors import SettingsError, UsageError, describe_error
from limpet.hosts.sessions import SOURCE_PREFIX, RecordedSession
from limpet.hosts.transcript import SkippedLines
from limpet.lean.record import field, mutable, record, replace
from limpet.learning.recorded import HOOKS, RecordedSource
from limpet.learning.session import Batch
from limpet.learning.states import SessionStates
from limpet.learning.worker import WAIT_MS, learn, worker_lock
from limpet.model.memory import Memory, Sensitivity
from limpet.queue import files as queue
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

SLACK_MS = 60_000
"""Records of a host from less than this before its first hook belong to the event of that hook."""
EXAMPLES = 5


@mutable
class BackfillReport:
    """The result of learning from recordings; it is filled step by step, so that it is valid if the run is stopped."""

    found: int = 0
    sessions: int = 0
    """The number of sessions from which something was read in this run."""
    done: int = 0
    """The number of sessions that need no more work, in this run or before."""
    events: int = 0
    kept: int = 0
    known: int = 0
    summaries: int = 0
    live: int = 0
    """The number of sessions that hooks have reported."""
    nowhere: int = 0
    """The number of sessions without a known folder."""
    off: int = 0
    """The number of sessions in projects where capture is switched off."""
    unread: int = 0
    """The number of lines that could not be read."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Files or sessions that failed, each with its error."""
    examples: list[Memory] = field(default_factory=list)
    stopped: bool = False
    busy: bool = False
    dry: bool = False


@record
class _Run:
    """The values that the steps of one run share."""

    context: Context
    report: BackfillReport
    wait_ms: int
    hooked: Mapping[str, str]
    """The queue file of each session that hooks have reported."""
    hashes: set[str]
    """The hashes of texts seen in a dry run, which stores nothing and so cannot find duplicates in the store."""


def learn_from_recordings(
    sessions: Sequence[RecordedSession],
    report: BackfillReport,
    *,
    context: Context,
    wait_ms: int = WAIT_MS,
) -> BackfillReport:
    """Learn from the sessions, oldest first; with `report.dry` nothing is written."""
    report.found = len(sessions)
    run = _Run(
        context=context,
        report=report,
        wait_ms=wait_ms,
        hooked={name.rpartition("/")[2]: name for name in reversed(queue.list_queue_files(context.home))},
        hashes=set(),
    )
    reading = context.reading()
    left = [_unread_bytes(recorded, reading) for recorded in sessions]
    total, passed = sum(left), 0
    try:
        for number, recorded in enumerate(sessions, 1):

            def tick(read: int, number: int = number, passed: int = passed) -> None:
                context.progress(f"session {number} of {len(sessions)}, {report.kept} noted", passed + read, total)

            tick(0)
            _learn_from_session(recorded, run, tick)
            passed += left[number - 1]
            if report.busy:
                break
    except KeyboardInterrupt:
        report.stopped = True
    return report


def _unread_bytes(recorded: RecordedSession, reading: Reading) -> int:
    """Return the number of bytes that are still to be read, for an estimate of the time left."""
    known = reading.session(recorded.session)
    taken = known.taken if known else {}
    return sum(max(0, file.size - taken.get(file.source, 0)) for file in recorded.files)


def _learn_from_session(recorded: RecordedSession, run: _Run, tick: Callable[[int], None]) -> None:
    report, home = run.report, run.context.home
    with nullcontext(True) if report.dry else worker_lock(home, wait_ms=run.wait_ms) as is_held:
        if not is_held:
            report.busy = True
            return
        try:
            _read_session(recorded, run, tick)
            report.done += 1
        except (OSError, ValueError, UsageError, SettingsError) as error:
            # This fails for one session only; an error of the store is of another kind, and ends the run.
            report.failed.append((recorded.files[0].path, describe_error(error)))


def _read_session(recorded: RecordedSession, run: _Run, tick: Callable[[int], None]) -> None:
    known = run.context.reading().session(recorded.session)
    taken = {name: place for name, place in (known.taken if known else {}).items() if name.startswith(SOURCE_PREFIX)}
    hooked_ms = _hooked_since(recorded, run)
    before_ms = None if hooked_ms is None else hooked_ms - SLACK_MS
    if before_ms is not None and clock.to_ms(recorded.begins) >= before_ms:
        run.report.live += 1
        return
    skipped = SkippedLines()
    source = RecordedSource(recorded, taken, before_ms=before_ms, hooked_ms=hooked_ms, skipped=skipped)
    states = SessionStates(run.context.home, f"transcript-{queue.key_of(recorded.session)}", saves=not run.report.dry)
    try:
        context = None if source.is_empty else _usable_context(recorded, run)
        if context is not None:
            _learn_from_source(source, context, states, run, lambda read: tick(read - sum(taken.values())))
        states.remove()
    finally:
        source.close()
        run.report.unread += skipped.broken + skipped.too_long


def _hooked_since(recorded: RecordedSession, run: _Run) -> int | None:
    """Return when hooks began to report the session, or None if they never did."""
    known = run.context.reading().session(recorded.session)
    if known is not None and HOOKS in known.taken:
        return known.taken[HOOKS]
    moments = []
    if known is not None and any(not name.startswith(SOURCE_PREFIX) for name in known.taken):
        moments.append(clock.to_ms(known.started_at))
    name = run.hooked.get(queue.key_of(recorded.session))
    first = next(queue.read(run.context.home, name), None) if name else None
    if first is not None and isinstance(first[1].get("at"), int):
        moments.append(first[1]["at"])
    return min(moments, default=None)


def _usable_context(recorded: RecordedSession, run: _Run) -> Context | None:
    """Return the context of the session; if nothing may be learnt there, count the session and return None."""
    # A session in Limpet's home is one in which Limpet itself asked a model.
    is_ours = is_own_folder(recorded.folder, run.context.home)
    context = run.context.open_recorded(recorded) if recorded.folder and not is_ours else None
    if context is None or context.scope.project is None:
        # What belongs to no project would show in all of them.
        run.report.nowhere += 1
        return None
    if not context.settings.capture.enabled:
        run.report.off += 1
        return None
    if run.report.dry:
        context = replace(context, write=lambda changes: None, note=lambda receipt: None)
    return context


def _learn_from_source(
    source: RecordedSource, context: Context, states: SessionStates, run: _Run, tick: Callable[[int], None]
) -> None:
    run.report.sessions += 1
    # The store finishes what it puts off, so that a batch finds the same store whether or not a run was stopped.
    _rest(run)
    is_summarised = False
    for batch in learn(source, open_context=lambda entry: context, states=states):
        _rest(run)
        _count(batch, run)
        is_summarised = is_summarised or batch.is_summarised
        tick(sum(place for name, place in source.cursor.items() if name != HOOKS))
    run.report.summaries += is_summarised


def _rest(run: _Run) -> None:
    if not run.report.dry:
        run.context.store.rest()


def _count(batch: Batch, run: _Run) -> None:
    report = run.report
    made = [each for each in batch.admitted if each.content_hash not in run.hashes]
    if report.dry:
        run.hashes.update(each.content_hash for each in made)
    report.kept += len(made)
    report.events += batch.seen
    report.known += batch.known
    shown = [each for each in made if each.sensitivity is Sensitivity.PUBLIC]
    report.examples = [*report.examples, *shown][-EXAMPLES:]
