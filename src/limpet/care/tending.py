"""Run upkeep: a whole round for a person, or a slice of it in a process with time to spare."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet import clock
from limpet.apps.creation import settle_conversations
from limpet.doors.token_budget import is_short_of_tokens, may_ask_model, with_model_roles
from limpet.learning.curate import curate_sessions
from limpet.learning.marks import write_marks
from limpet.learning.stages import TABLE, Bus
from limpet.learning.worker import learn_from_queue
from limpet.model.event import UpkeepStarted
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.upkeep.compression import summarize_old as summarizing
from limpet.upkeep.consent import check_name
from limpet.upkeep.job import ACTOR
from limpet.upkeep.round import JOBS, Round, run_upkeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.doors.context import Context


_ENCODING_MS = 60_000
_SLICE_MS = 5000
"""Maximum milliseconds that a hook spends on upkeep."""


def run_round(
    runtime: Runtime,
    *,
    dry_run: bool = False,
    summarize_old: bool = False,
    only: str | None = None,
    agree: Sequence[str] | None = None,
    code: str | None = None,
) -> Round:
    """Run a whole round of upkeep, or one job of it, and return how many memories each job has changed."""
    if agree:
        require_person(runtime, "upkeep", code=code, doing="let upkeep retire that many memories")
    agreed = [check_name(name, JOBS) for name in agree or ()]
    if summarize_old or only is not None:
        jobs = {"summarizing": summarizing} if summarize_old else {str(only): JOBS[str(only)]}
        return run_stages(runtime, jobs=jobs, agreed=agreed, dry_run=dry_run, asks_model=not dry_run)
    learnt = 0 if dry_run else learn_from_queue(runtime.context()).kept
    curated = None if dry_run else curate_sessions(runtime.context())
    settled = 0 if dry_run else len(settle_conversations(_make_app_context(runtime)).created)
    answer = run_stages(runtime, agreed=agreed, dry_run=dry_run, asks_model=not dry_run)
    if curated is not None:
        answer.notices += [f"curation: {failure}" for failure in curated.failures]
    made = {"learning": learnt, "curation": curated.kept if curated else 0, "apps": settled}
    answer.done = {**{name: count for name, count in made.items() if count}, **answer.done}
    if not dry_run:
        encode_waiting(runtime, budget_ms=_ENCODING_MS)
    return answer


def tend(
    runtime: Runtime, *, budget_ms: int | None = None, model_ms: int = 0, is_wanted: Callable[[], bool] = lambda: False
) -> Round:
    """Run a short part of upkeep, in a process with time to spare: a background hook, the MCP process or the server.

    The queued events are processed first, because a memory that they use must not fade. `budget_ms` limits this and the
    jobs of upkeep. If `model_ms` is not 0, a model is asked about one session and one conversation of an app, for at
    most that time. When `is_wanted` returns True, because the process is needed for other work, upkeep stops after the
    current event or write. The next call continues.
    """
    learn_from_queue(runtime.context(), budget_ms=budget_ms, is_wanted=is_wanted)
    if is_wanted():
        return Round(finished=False)
    write_marks(runtime.context())
    if model_ms:
        curate_sessions(runtime.context(), most=1, timeout=model_ms / 1000)
    if model_ms or not may_ask_model(runtime.context()):
        settle_conversations(_make_app_context(runtime), most=1)
    slice_ms = _SLICE_MS if budget_ms is None else budget_ms
    answer = run_stages(runtime, budget_ms=slice_ms, is_wanted=is_wanted)
    if is_wanted():
        return answer
    # Loaded here, because most projects have no shared files.
    from limpet.sharing.folder import tend_files

    tend_files(runtime)
    if budget_ms is None:
        encode_waiting(runtime, budget_ms=_SLICE_MS)
    return answer


def encode_waiting(runtime: Runtime, *, budget_ms: int) -> None:
    """Compute missing vectors of memories with the sentence encoder, if it is installed, for at most `budget_ms`."""
    # Opens the index, which is needed to count the memories.
    runtime.reading()
    store = runtime.store
    counts = store.count_sentences()
    if counts[0] == counts[1] and not store.has_missing_vectors():
        return
    # Loaded here, because the encoder is seldom installed.
    from limpet.sentence_encoder import load_encoder

    if load_encoder() is None:
        return
    deadline = clock.monotonic_ms() + budget_ms
    # `rest` first computes the vectors that need no encoder, and encodes a memory only after that.
    while clock.monotonic_ms() < deadline and (counts[0] < counts[1] or store.has_missing_vectors()):
        store.rest()
        before, counts = counts, store.count_sentences()
        if counts == before:
            # Nothing changed: another process holds the lock, or the index cannot be written.
            break


def _make_app_context(runtime: Runtime) -> Context:
    context = runtime.context()
    return with_model_roles(context, timeout=context.settings.apps.timeout_seconds)


def run_stages(runtime: Runtime, *, asks_model: bool = False, **options: Any) -> Round:
    """Run the jobs of upkeep as stages of the event bus. If a job fails, this is reported and the others still run.

    If `asks_model` is set, the configured language model shortens and merges texts, unless few of its tokens are left
    today.
    """
    context = runtime.context(actor=ACTOR)
    if asks_model and not is_short_of_tokens(context):
        context = with_model_roles(context)
    failures: list[str] = []
    started = UpkeepStarted(at=runtime.now())
    answer = run_upkeep(
        context,
        lambda handlers: Bus(TABLE, handlers, log=failures.append).publish(started),
        **options,
    )
    for failure in failures:
        runtime.log(failure)
        answer.notices.append(f"{failure}; the other jobs were done")
        answer.finished = False
    return answer
