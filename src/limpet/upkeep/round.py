"""Run an upkeep round: all jobs in order, while holding a lock, in parts that each leave the store valid.

The progress is not recorded, because the next round finds the remaining work in the store. So if a process is killed, a
clock is set back, or another machine runs upkeep too, at most the work of one part is done twice.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import timedelta
from functools import partial

from limpet import clock, system
from limpet.doors.context import Context
from limpet.lean.record import field, mutable, replace
from limpet.model.change import ChangeKind
from limpet.recall.gate import RecallGate
from limpet.upkeep.compression import compress
from limpet.upkeep.consent import Stop, is_agreed, load_stops, save_stops
from limpet.upkeep.deduplication import deduplicate
from limpet.upkeep.fading import decay, evict, expire
from limpet.upkeep.job import Job, Plan, open_gate
from limpet.upkeep.promotion import promote, settle_tiers
from limpet.upkeep.relocation import relocate
from limpet.upkeep.repair import repair, rescan

JOBS: Mapping[str, Job] = {
    "repair": repair,
    "relocation": relocate,
    "tiers": settle_tiers,
    "deduplication": deduplicate,
    "expiry": expire,
    "promotion": promote,
    "decay": decay,
    "compression": compress,
    "eviction": evict,
    "rescan": rescan,
}
"""The jobs of a complete round by name; `learning/stages.py` defines their order."""

Handler = Callable[[object], tuple[()]]
RunHandlers = Callable[[Mapping[str, Handler]], object]
"""A function that runs handlers, given by the names of their stages, in the order of the stage table."""

GATED = ("deduplication", "compression", "summarizing")
"""The jobs that merge or replace memories, for which the recall gate checks that no question loses its answer."""
UNLIMITED = ("expiry",)
"""The jobs that may retire (hide) any number of memories, because the expiry date was set in advance."""
SMALL = 10
"""The number of memories in a scope below which a job may retire any share of them."""


@mutable
class Round:
    """The result of an upkeep round, or of a dry run, which shows what a round would do."""

    done: dict[str, int] = field(default_factory=dict)
    """The number of changes that each job has made."""
    notices: list[str] = field(default_factory=list)
    """Remarks for the user."""
    ran: list[str] = field(default_factory=list)
    """The names of the jobs that ran to completion."""
    stops: list[Stop] = field(default_factory=list)
    """The plans that were not written because they would retire too many memories in a scope."""
    finished: bool = True
    """Whether all jobs ran to completion."""
    spared: int = 0
    """The number of merges that were not made because a question would lose its answer."""
    busy: bool = False
    """Whether another process was running upkeep, so that nothing was done."""
    dry_run: bool = False


def run_upkeep(
    context: Context,
    run_handlers: RunHandlers,
    *,
    jobs: Mapping[str, Job] = JOBS,
    agreed: Sequence[str] = (),
    dry_run: bool = False,
    budget_ms: int | None = None,
    is_wanted: Callable[[], bool] = lambda: False,
) -> Round:
    """Run upkeep jobs and return what they have done.

    `agreed` contains the names of the stops to which a person has agreed (see `consent`). The round ends early if
    `budget_ms` milliseconds have passed after a write, or if `is_wanted` returns True because the process is needed for
    other work. All jobs see the same current time.
    """
    now = context.now()
    context = replace(context, now=lambda: now)
    answer = Round(dry_run=dry_run)
    deadline = None if budget_ms is None else clock.monotonic_ms() + budget_ms
    path = os.path.join(context.home, "locks", "upkeep")
    # A dry run writes nothing, not even a lock file.
    with nullcontext(True) if dry_run else system.lock(path, doing="take the lock of upkeep") as is_held:
        if not is_held:
            answer.busy, answer.finished = True, False
            return answer
        gate = open_gate(context)
        run_handlers(
            {
                name: partial(
                    _on_upkeep,
                    name=name,
                    job=job,
                    context=context,
                    answer=answer,
                    agreed=agreed,
                    deadline=deadline,
                    is_wanted=is_wanted,
                    gate=gate if name in GATED else None,
                )
                for name, job in jobs.items()
            }
        )
        if not dry_run:
            save_stops(context.home, answer.stops, jobs=answer.ran)
        if answer.spared:
            answer.notices.append(
                f"{answer.spared} merge{'s were' if answer.spared > 1 else ' was'} not made, because a question that "
                "was asked would lose its answer"
            )
        if answer.finished and context.settings.upkeep.receipt_days and not answer.dry_run:
            context.store.trim_receipts(context.now() - timedelta(days=context.settings.upkeep.receipt_days))
    return answer


def _on_upkeep(
    event: object,
    *,
    name: str,
    job: Job,
    context: Context,
    answer: Round,
    agreed: Sequence[str],
    deadline: int | None,
    is_wanted: Callable[[], bool],
    gate: RecallGate | None,
) -> tuple[()]:
    """Write the plans of one job until the deadline has passed or `is_wanted` returns True."""
    if is_wanted():
        answer.finished = False
    if not answer.finished:
        return ()
    share = context.settings.store.retire_share
    told = load_stops(context.home)
    for plan in job(context):
        if is_wanted():
            answer.finished = False
            return ()
        if name not in UNLIMITED and _retires_too_many(plan, share):
            stop = Stop.of(name, plan)
            if not is_agreed(stop, agreed, told):
                answer.stops.append(stop)
                answer.notices.append(stop.describe(share, context.store.reading()))
                continue
        for part in plan.parts:
            if gate is not None and gate.find_loss(part, before=context.store.reading()) is not None:
                answer.spared += 1
            else:
                if not answer.dry_run:
                    context.store.append(part)
                answer.done[name] = answer.done.get(name, 0) + sum(each.kind != ChangeKind.ADMIT for each in part)
            # Checked after writing, so that every round makes some progress.
            if is_wanted() or (deadline is not None and clock.monotonic_ms() >= deadline):
                answer.finished = False
                return ()
    answer.ran.append(name)
    return ()


def _retires_too_many(plan: Plan, share: float) -> bool:
    return plan.room is not None and plan.room.active >= SMALL and plan.retires > share * plan.room.active
