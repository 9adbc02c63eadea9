"""One round of upkeep: every job in its order, under one lock, in parts that each leave a valid state.

Nothing is noted about what was done: the next round finds in the state what is left. So a kill, a second round on
another machine, or a clock that went back cost at most the work of one part.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import timedelta

from limpet import clock, system
from limpet.errors import from_os_error
from limpet.lean.record import field, mutable
from limpet.model.change import ChangeKind
from limpet.upkeep.caps import eviction
from limpet.upkeep.compression import compression
from limpet.upkeep.decay import decay
from limpet.upkeep.expiry import expiry
from limpet.upkeep.merging import settling
from limpet.upkeep.plan import Job, Means, Plan
from limpet.upkeep.promotion import promotion
from limpet.upkeep.rereading import reading_again
from limpet.upkeep.twins import twins

JOBS: Mapping[str, Job] = {
    "settling": settling,
    "twins": twins,
    "expiry": expiry,
    "promotion": promotion,
    "decay": decay,
    "compression": compression,
    "eviction": eviction,
    "reading": reading_again,
}
"""In the order they are done. Strength is no job: it is a pure function and worked out whenever a memory is read."""

FREE = ("expiry",)
"""Jobs that may retire any number: somebody has said beforehand when."""
SMALL = 10
"""A scope with fewer memories is not measured by shares."""


@mutable
class Round:
    """What a round did, or would do."""

    done: dict[str, int] = field(default_factory=dict)
    """Memories that each job has changed."""
    notices: list[str] = field(default_factory=list)
    finished: bool = True
    busy: bool = False
    """Whether somebody else was at it, so that nothing was done."""
    dry_run: bool = False


def run_upkeep(
    means: Means,
    *,
    jobs: Mapping[str, Job] = JOBS,
    allowed: bool = False,
    dry_run: bool = False,
    budget_ms: int | None = None,
) -> Round:
    """Do what is due; `allowed` says that a person has agreed to retire more than the share that needs no asking.

    The budget is looked at between writes; a job that finds nothing to write is looked through to its end.
    """
    answer = Round(dry_run=dry_run)
    lock = _lock(means.store.home)
    if lock is None:
        answer.busy, answer.finished = True, False
        return answer
    try:
        deadline = None if budget_ms is None else clock.monotonic_ms() + budget_ms
        for name, job in jobs.items():
            if not _done(name, job, means, answer, allowed=allowed, deadline=deadline):
                answer.finished = False
                break
        else:
            _trim_receipts(means, answer)
    finally:
        system.unlock(lock)
    return answer


def _trim_receipts(means: Means, answer: Round) -> None:
    """No job: a receipt is a count beside the memories, and adding old ones up changes none of them."""
    if means.settings.receipt_days and not answer.dry_run:
        means.store.trim_receipts(means.now - timedelta(days=means.settings.receipt_days))


def _lock(home: str) -> int | None:
    locks = os.path.join(home, "locks")
    try:
        system.private_directory(locks)
        return system.try_lock(os.path.join(locks, "upkeep"))
    except OSError as error:
        raise from_os_error(error, "take the lock of upkeep") from error


def _done(name: str, job: Job, means: Means, answer: Round, *, allowed: bool, deadline: int | None) -> bool:
    """Whether the job came to its end in time."""
    for plan in job(means):
        if not allowed and name not in FREE and _is_too_much(plan, means.caps.retire_share):
            answer.notices.append(_question(name, plan, means.caps.retire_share))
            continue
        for part in plan.parts:
            if not answer.dry_run:
                means.store.append(part)
            answer.done[name] = answer.done.get(name, 0) + sum(each.kind != ChangeKind.ADMIT for each in part)
            # Asked after writing: what was worked out is never thrown away, so every slice gets on.
            if deadline is not None and clock.monotonic_ms() >= deadline:
                return False
    return True


def _is_too_much(plan: Plan, share: float) -> bool:
    return plan.room is not None and plan.room.active >= SMALL and plan.retires > share * plan.room.active


def _question(name: str, plan: Plan, share: float) -> str:
    assert plan.room is not None
    return (
        f"{name} would retire {plan.retires} of {plan.room.active} memories of "
        f"{plan.room.project or plan.room.agent}, more than {share:.0%}: nothing was done; "
        "if that is right, say so with: limpet upkeep --yes"
    )
