"""Keep a list of the jobs that would retire (hide) too many memories in a scope, and so need a person's consent.

The list is saved in a small file, so that commands can show it without running the jobs. Each upkeep round determines
again which jobs have to wait, and rewrites the file.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from limpet import system
from limpet.errors import UsageError
from limpet.lean import quickjson
from limpet.lean.record import pick, record
from limpet.store.protocol import Reading
from limpet.upkeep.job import Plan

FILE = "waiting.json"
BY_HAND = ("summarizing",)
"""The jobs that run only on request, and therefore are not saved in the list."""
_WHY = {
    "deduplication": " as duplicates",
    "decay": " because they have faded",
    "compression": " by merging them into summaries",
    "summarizing": " by merging them into summaries",
    "eviction": " to make room for others",
}
_GROWTH = 0.05
"""The share of a scope's memories by which a plan may have grown since the person was asked."""


@record
class Stop:
    """A job that was stopped because it would retire too many of a scope's active memories."""

    job: str
    scope: str
    """The id of the project, or the id of the agent for memories that belong to no project."""
    retires: int
    """The number of memories that the job would retire."""
    active: int
    """The number of active memories in the scope."""

    @classmethod
    def of(cls, job: str, plan: Plan) -> Stop:
        assert plan.room is not None
        return cls(job=job, scope=plan.room.project or plan.room.agent, retires=plan.retires, active=plan.room.active)

    @property
    def name(self) -> str:
        """Return the name that a person types to agree, such as `decay@prj_…`."""
        return f"{self.job}@{self.scope}"

    def describe(self, share: float, reading: Reading) -> str:
        option = "--summarize-old " if self.job in BY_HAND else ""
        project = reading.project(self.scope)
        owner = f"the project {project.name}" if project else f"the agent {self.scope}"
        return (
            f"upkeep would hide {self.retires:,} of {self.active:,} memories of {owner}{_WHY.get(self.job, '')}, more "
            f"than {share:.0%}, so it has not; limpet restore would bring them back; "
            f"to allow it: limpet upkeep {option}--agree {self.name}"
        )


def load_stops(home: str) -> tuple[Stop, ...]:
    """Return the saved list of stopped jobs; an empty tuple if the file is missing or damaged."""
    try:
        with open(os.path.join(home, FILE), encoding="utf-8") as file:
            rows = quickjson.loads(file.read(1 << 20))
        return tuple(
            Stop(job=str(row["job"]), scope=str(row["scope"]), retires=int(row["retires"]), active=int(row["active"]))
            for row in rows
        )
    except (OSError, ValueError, TypeError, KeyError):
        return ()


def save_stops(home: str, stops: Iterable[Stop], *, jobs: Iterable[str]) -> None:
    """Save the stops of the jobs that ran, whose names are in `jobs`; the saved stops of other jobs are kept."""
    before, ran = load_stops(home), frozenset(jobs)
    after = (*(stop for stop in before if stop.job not in ran), *(stop for stop in stops if stop.job not in BY_HAND))
    if after == before:
        return
    rows = [pick(each, "job", "scope", "retires", "active") for each in after]
    # An error may be ignored, because the next round finds the same stops.
    with contextlib.suppress(OSError):
        system.write_atomically(os.path.join(home, FILE), quickjson.dumps(rows).encode(), durable=False)


def is_agreed(stop: Stop, agreed: Iterable[str], told: Iterable[Stop]) -> bool:
    """Tell whether a person has agreed to a stopped job, and to about as many memories as the job would retire now.

    `agreed` are the names of the stops to which the person agrees. `told` are the stops that the person was shown.
    """
    if stop.name not in agreed:
        return False
    known = next((each for each in told if each.name == stop.name), None)
    return known is None or stop.retires / stop.active <= known.retires / max(1, known.active) + _GROWTH


def check_name(name: str, jobs: Iterable[str]) -> str:
    """Return `name` if it is a valid name of a stop: a job's name and a scope. Otherwise raise UsageError."""
    job, _, scope = name.partition("@")
    if job not in (*jobs, *BY_HAND) or not scope:
        raise UsageError(
            f"{name[:80]!r} does not name a job and a scope, such as decay@prj_…; `limpet doctor` shows which jobs wait"
        )
    return name
