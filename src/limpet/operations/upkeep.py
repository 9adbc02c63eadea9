"""Run upkeep, the background work on memories: shorten, merge and expire those that are due."""

from __future__ import annotations

from limpet.care.tending import run_round
from limpet.lean.record import pick
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE
from limpet.upkeep.round import JOBS

VERB = Verb(
    run=run_round,
    shape=lambda answer: {
        "done": answer.done,
        "total": sum(answer.done.values()),
        **pick(answer, "notices", "finished", "busy", "dry_run"),
    },
    params=(
        Param(name="dry_run", help="Only show what would be done.", kind="flag"),
        Param(name="only", help="Only this job.", kind="choice", choices=tuple(JOBS)),
        Param(name="summarize_old", help="Merge old memories of one kind, even if they are not similar.", kind="flag"),
        Param(
            name="agree", help="Allow a job to retire as many memories of a scope as it named: JOB@SCOPE.", many=True
        ),
        CODE,
    ),
    details=(
        "Runs by itself in small slices, so you seldom need to call it. Memories fade only on active days, on which "
        "the project had a session. A text is shortened in phases: full, hint, abstract, archived. The original is "
        "kept: `limpet restore` brings it back in full. A job that would retire more than a fifth of a scope (the "
        "memories of a project, or of the agent) stops; `doctor` and the next command on a terminal say how to allow "
        "it."
    ),
    examples=("limpet upkeep", "limpet upkeep --dry-run", "limpet upkeep --summarize-old"),
)
