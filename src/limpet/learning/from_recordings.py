"""Learn from the sessions that hosts have recorded on disk, with the same stages that process events from hooks.

The position in a session's files is written to the journal together with the memories made from them. So a run
continues where an earlier run stopped, and a run after a complete one finds nothing to do.

A session that hooks have reported is skipped, because its events are in the queue. If its files begin before the first
event from a hook, for example because Limpet was installed during the session, only the part before this event is
processed. The time of this event is recorded too, so that later runs know it.
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
"""A record that is older than the first hook event by at most this many milliseconds counts as the same event."""
EXAMPLES = 5
"""The maximum number of example memories in a report."""


@mutable
class BackfillReport:
    """The result of learning from recorded sessions. It is updated after each step, so it is valid at any time."""

    found: int = 0
    sessions: int = 0
    """The number of sessions from which this run has read events."""
    done: int = 0
    """The number of sessions that were processed without an error, including those with nothing to do."""
    events: int = 0
    kept: int = 0
    """The number of new memories."""
    known: int = 0
    """The number of drafts that were not admitted, usually because they were already known."""
    summaries: int = 0
    live: int = 0
    """The number of sessions that were skipped because hooks have reported them."""
    nowhere: int = 0
    """The number of sessions whose project is unknown."""
    off: int = 0
    """The number of sessions in projects where capture is switched off."""
    unread: int = 0
    """The number of lines that could not be read."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """The files that could not be processed, each with its error message."""
    examples: list[Memory] = field(default_factory=list)
    projects: set[str] = field(default_factory=set)
    """The projects of the new memories."""
    stopped: bool = False
    busy: bool = False
    dry: bool = False


@record
class _Run:
    """The values that all steps of a run share."""

    context: Context
    report: BackfillReport
    wait_ms: int
    hooked: Mapping[str, str]
    """The name of the queue file of each session that hooks have reported, by the key of the session."""
    hashes: set[str]
    """The hashes of the new memories in a dry run. They are needed to find duplicates, because nothing is stored."""


def learn_from_recordings(
    sessions: Sequence[RecordedSession],
    report: BackfillReport,
    *,
    context: Context,
    wait_ms: int = WAIT_MS,
) -> BackfillReport:
    """Learn from the sessions in the given order, update `report` and return it.

    If `report.dry` is true, nothing is written. Wait at most `wait_ms` milliseconds for another process that is
    learning.
    """
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
    """Return the number of bytes in a session's files that have not been read yet, as a measure of progress."""
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
            # These errors concern one session only. An error of the store has another type, and ends the run.
            report.failed.append((recorded.files[0].path, describe_error(error)))


def _read_session(recorded: RecordedSession, run: _Run, tick: Callable[[int], None]) -> None:
    known = run.context.reading().session(recorded.session)
    taken = {name: place for name, place in (known.taken if known else {}).items() if name.startswith(SOURCE_PREFIX)}
    hooked_ms = _find_first_hook(recorded, run)
    before_ms = None if hooked_ms is None else hooked_ms - SLACK_MS
    if before_ms is not None and clock.to_ms(recorded.begins) >= before_ms:
        run.report.live += 1
        return
    skipped = SkippedLines()
    source = RecordedSource(recorded, taken, before_ms=before_ms, hooked_ms=hooked_ms, skipped=skipped)
    states = SessionStates(run.context.home, f"transcript-{queue.key_of(recorded.session)}", saves=not run.report.dry)
    try:
        context = None if source.is_empty else _open_context(recorded, run)
        if context is not None:
            _learn_from_source(source, context, states, run, lambda read: tick(read - sum(taken.values())))
        states.remove()
    finally:
        source.close()
        run.report.unread += skipped.broken + skipped.too_long


def _find_first_hook(recorded: RecordedSession, run: _Run) -> int | None:
    """Return the time at which hooks began to report the session, in milliseconds, or None if they never did."""
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


def _open_context(recorded: RecordedSession, run: _Run) -> Context | None:
    """Return the context of the session, or None if nothing may be learnt from it.

    In the second case, the reason is counted in the report.
    """
    # A session in Limpet's home was started by Limpet to ask a model.
    is_ours = is_own_folder(recorded.folder, run.context.home)
    context = run.context.open_recorded(recorded) if recorded.folder and not is_ours else None
    if context is None or context.scope.project is None:
        # A memory without a project would be visible in all projects.
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
    # The store completes its deferred work, so that the result is the same if a run is stopped and continued.
    _finish_store_work(run)
    is_summarised = False
    for batch in learn(source, open_context=lambda entry: context, states=states):
        _finish_store_work(run)
        _count_batch(batch, run)
        is_summarised = is_summarised or batch.is_summarised
        tick(sum(place for name, place in source.cursor.items() if name != HOOKS))
    run.report.summaries += is_summarised


def _finish_store_work(run: _Run) -> None:
    if not run.report.dry:
        run.context.store.rest()


def _count_batch(batch: Batch, run: _Run) -> None:
    report = run.report
    made = [each for each in batch.admitted if each.content_hash not in run.hashes]
    if report.dry:
        run.hashes.update(each.content_hash for each in made)
    report.kept += len(made)
    report.projects.update(each.project for each in made if each.project is not None)
    report.events += batch.seen
    report.known += batch.known
    shown = [each for each in made if each.sensitivity is Sensitivity.PUBLIC]
    report.examples = [*report.examples, *shown][-EXAMPLES:]
