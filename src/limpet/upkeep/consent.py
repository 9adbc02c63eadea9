"""Jobs that stopped because they would retire too many memories of a scope, and that wait for a person to agree.

The list is a small file, so that every command can name the waiting jobs without running them. The file is only a copy:
each round determines again which jobs would still retire too many, and rewrites it.
"""

from __future__ import annotations

import contextlib
import os

from limpet import system
from limpet.errors import UsageError
from limpet.lean import quickjson
from limpet.lean.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.upkeep.plan import Plan

FILE = "waiting.json"
BY_HAND = ("summarizing",)
"""Jobs that run only on request and therefore never wait for a person to agree."""
_GROWTH = 0.05
"""The share of the scope by which a plan may have grown since a person was told about it."""


@record
class Stop:
    """A job that was stopped because it would retire too many of the active memories of a scope."""

    job: str
    scope: str
    """The id of the project; for memories of no project, the id of the agent."""
    retires: int
    active: int

    @classmethod
    def of(cls, job: str, plan: Plan) -> Stop:
        assert plan.room is not None
        return cls(job=job, scope=plan.room.project or plan.room.agent, retires=plan.retires, active=plan.room.active)

    @property
    def name(self) -> str:
        """Return the name that a person types to agree."""
        return f"{self.job}@{self.scope}"

    def describe(self, share: float) -> str:
        option = "--summarize-old " if self.job in BY_HAND else ""
        return (
            f"{self.job} would retire {self.retires} of {self.active} memories of {self.scope}, more than {share:.0%}: "
            f"nothing was done; if that is right, say so with: limpet upkeep {option}--agree {self.name}"
        )


def load_stops(home: str) -> tuple[Stop, ...]:
    """Return the jobs that wait for a person; none if the file is missing or damaged."""
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
    """Replace the saved stops of these jobs; stops of jobs that did not run are kept."""
    before, ran = load_stops(home), frozenset(jobs)
    after = (*(stop for stop in before if stop.job not in ran), *(stop for stop in stops if stop.job not in BY_HAND))
    if after == before:
        return
    rows = [{"job": each.job, "scope": each.scope, "retires": each.retires, "active": each.active} for each in after]
    # A process that cannot write this file cannot write a change either, and the next round will say the same.
    with contextlib.suppress(OSError):
        system.write_atomically(os.path.join(home, FILE), quickjson.dumps(rows).encode(), durable=False)


def is_agreed(stop: Stop, agreed: Iterable[str], told: Iterable[Stop]) -> bool:
    """Tell whether a person has agreed to a job in a scope, and to about as many memories as it would retire now."""
    if stop.name not in agreed:
        return False
    known = next((each for each in told if each.name == stop.name), None)
    return known is None or stop.retires / stop.active <= known.retires / max(1, known.active) + _GROWTH


def check_name(name: str, jobs: Iterable[str]) -> str:
    """Return the name of a stopped job that a person agrees to; raise UsageError if it names no job and scope."""
    job, _, scope = name.partition("@")
    if job not in (*jobs, *BY_HAND) or not scope:
        raise UsageError(
            f"{name[:80]!r} does not name a job and a scope, such as decay@prj_…; `limpet doctor` shows which jobs wait"
        )
    return name
