"""Let memories fade, merge and expire as they should."""

from __future__ import annotations

from datetime import datetime

from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import YES
from limpet.operations.permissions import require_owner
from limpet.runtime import Runtime
from limpet.runtime.events import learn
from limpet.upkeep.compression import summarize_old as summarizing
from limpet.upkeep.plan import ACTOR, Means
from limpet.upkeep.round import JOBS, Round, run_upkeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(
    runtime: Runtime, *, dry_run: bool = False, yes: bool = False, summarize_old: bool = False, only: str | None = None
) -> Round:
    if yes:
        require_owner(runtime, yes=True, doing="let upkeep retire that many memories")
    if summarize_old:
        return run_upkeep(means_of(runtime), jobs={"summarizing": summarizing}, allowed=yes, dry_run=dry_run)
    if only is not None:
        return run_upkeep(means_of(runtime), jobs={only: JOBS[only]}, allowed=yes, dry_run=dry_run)
    learnt = 0 if dry_run else learn(runtime).kept
    answer = run_upkeep(means_of(runtime), jobs=JOBS, allowed=yes, dry_run=dry_run)
    if learnt:
        answer.done = {"learning": learnt, **answer.done}
    return answer


def tend(runtime: Runtime, *, budget_ms: int | None = None) -> Round:
    """A slice of upkeep, for whoever has a moment to spare: the second hook at a start, the MCP process, the server.

    First what was queued is learnt, so that nothing fades before it was looked at.
    """
    learn(runtime, budget_ms=budget_ms)
    return run_upkeep(means_of(runtime), budget_ms=runtime.settings.upkeep.slice_ms if budget_ms is None else budget_ms)


def means_of(runtime: Runtime) -> Means:
    return Means(
        store=runtime.store,
        settings=runtime.settings.upkeep,
        caps=runtime.settings.store,
        now=runtime.now(),
        door=lambda where, reading: runtime.admission(where=where, reading=reading, actor=ACTOR),
        judge=runtime.judged,
        resign=runtime.signed_again,
    )


def to_json(answer: Round, now: datetime) -> dict[str, Any]:
    return {
        "done": answer.done,
        "total": sum(answer.done.values()),
        "notices": answer.notices,
        "finished": answer.finished,
        "busy": answer.busy,
        "dry_run": answer.dry_run,
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        Param(name="dry_run", help="Only say what would be done.", kind="flag"),
        Param(name="only", help="Only this job.", kind="choice", choices=tuple(JOBS)),
        Param(name="summarize_old", help="Merge old memories of one kind, alike or not.", kind="flag"),
        YES,
    ),
    examples=("limpet upkeep", "limpet upkeep --dry-run", "limpet upkeep --summarize-old"),
)
