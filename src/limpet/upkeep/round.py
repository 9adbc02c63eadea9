"""Run one round of upkeep: every job in order, under one lock, in parts that each leave a valid state.

Progress is not recorded: the next round finds in the state what is left to do. So a kill, a second round on another
machine, or a clock that was set back costs at most the work of one part.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timedelta

from limpet import clock, system
from limpet.errors import from_os_error
from limpet.lean.record import field, mutable
from limpet.model.change import ChangeKind
from limpet.upkeep.compression import compress
from limpet.upkeep.decay import decay
from limpet.upkeep.deduplication import deduplicate
from limpet.upkeep.eviction import evict
from limpet.upkeep.expiry import expire
from limpet.upkeep.plan import Job, Means, Plan
from limpet.upkeep.promotion import promote
from limpet.upkeep.repair import repair
from limpet.upkeep.rescan import rescan

JOBS: Mapping[str, Job] = {
    "repair": repair,
    "deduplication": deduplicate,
    "expiry": expire,
    "promotion": promote,
    "decay": decay,
    "compression": compress,
    "eviction": evict,
    "rescan": rescan,
}
"""The jobs in the order they run. Strength needs no job: it is computed whenever a memory is read."""

UNLIMITED = ("expiry",)
"""Jobs that may retire any number of memories: their date was given in advance."""
SMALL = 10
"""In a scope with fewer memories the share that a job may retire is not limited."""


@mutable
class Round:
    """What a round did, or would do."""

    done: dict[str, int] = field(default_factory=dict)
    """The number of memories that each job has changed."""
    notices: list[str] = field(default_factory=list)
    finished: bool = True
    busy: bool = False
    """Whether another process was running upkeep, so that nothing was done."""
    dry_run: bool = False


def run_upkeep(
    means: Means,
    *,
    jobs: Mapping[str, Job] = JOBS,
    allowed: bool = False,
    dry_run: bool = False,
    budget_ms: int | None = None,
) -> Round:
    """Run the jobs; `allowed` means that a person has agreed to retire more than the share that needs no consent.

    The time budget is checked after each write, so a job that writes nothing runs to its end.
    """
    answer = Round(dry_run=dry_run)
    lock = _take_lock(means.store.home)
    if lock is None:
        answer.busy, answer.finished = True, False
        return answer
    try:
        deadline = None if budget_ms is None else clock.monotonic_ms() + budget_ms
        for name, job in jobs.items():
            if not _run_job(name, job, means, answer, allowed=allowed, deadline=deadline):
                answer.finished = False
                break
        else:
            _trim_receipts(means, answer)
    finally:
        system.unlock(lock)
    return answer


def _trim_receipts(means: Means, answer: Round) -> None:
    """Add up old receipts. This is not a job, because it changes no memory."""
    if means.settings.receipt_days and not answer.dry_run:
        means.store.trim_receipts(means.now - timedelta(days=means.settings.receipt_days))


def _take_lock(home: str) -> int | None:
    locks = os.path.join(home, "locks")
    try:
        system.private_directory(locks)
        return system.try_lock(os.path.join(locks, "upkeep"))
    except OSError as error:
        raise from_os_error(error, "take the lock of upkeep") from error


def _run_job(name: str, job: Job, means: Means, answer: Round, *, allowed: bool, deadline: int | None) -> bool:
    """Write the plans of one job, and tell whether it finished in time."""
    for plan in job(means):
        if not allowed and name not in UNLIMITED and _is_too_much(plan, means.caps.retire_share):
            answer.notices.append(_consent_notice(name, plan, means.caps.retire_share))
            continue
        for part in plan.parts:
            if not answer.dry_run:
                means.store.append(part)
            answer.done[name] = answer.done.get(name, 0) + sum(each.kind != ChangeKind.ADMIT for each in part)
            # Checked after writing, so that every slice makes some progress.
            if deadline is not None and clock.monotonic_ms() >= deadline:
                return False
    return True


def _is_too_much(plan: Plan, share: float) -> bool:
    return plan.room is not None and plan.room.active >= SMALL and plan.retires > share * plan.room.active


def _consent_notice(name: str, plan: Plan, share: float) -> str:
    assert plan.room is not None
    return (
        f"{name} would retire {plan.retires} of {plan.room.active} memories of "
        f"{plan.room.project or plan.room.agent}, more than {share:.0%}: nothing was done; "
        "if that is right, say so with: limpet upkeep --yes"
    )
