"""Distil past sessions: write facts, episodes and preferences to MEMORY.md and to a block of CLAUDE.md."""

from __future__ import annotations

import os
from functools import partial

from limpet import clock, system
from limpet.errors import Refused, UsageError
from limpet.insight.distil.distilling import DistilAnswer, distil, gather_sources
from limpet.insight.distil.plan import find_targets
from limpet.lean.record import pick
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import YES
from limpet.runtime import Runtime
from limpet.runtime.project_folder import find_root
from limpet.runtime.recordings import find_own_sessions

_LOCK_MS = 2000


def run(
    runtime: Runtime,
    *,
    check: bool = False,
    yes: bool = False,
    agents: bool = False,
    gemini: bool = False,
    gather: bool = False,
    rules: bool = False,
    proposals: str | None = None,
    shown: str | None = None,
) -> DistilAnswer:
    """Return the changes that distilling makes, and write them if `yes`.

    `shown` is the diff that the user has agreed to: if the changes are different, raise Refused. If `check` is set, no
    model is asked, so that a comparison costs nothing.
    """
    if check and yes:
        raise UsageError("--check only compares and --yes writes; give only one of them")
    # Raises an error if this folder claims to be a known project without proof.
    runtime.scope()
    root = find_root(runtime)
    if root is None or runtime.project is None:
        raise Refused("there is no project here to distil; go to the folder of a project")
    if gather:
        return gather_sources(runtime.context(), root)
    lock = os.path.join(runtime.settings.home, "locks", "distil")
    with system.lock(lock, clock.attempts(_LOCK_MS), doing="distil") as is_held:
        if not is_held:
            raise Refused("another distil is running; wait until it has ended, nothing was written")
        return distil(
            runtime.context(),
            root,
            find_targets(root, agents=agents, gemini=gemini),
            is_checking=check,
            is_writing=yes,
            by_rules=rules or check,
            reply=proposals,
            shown=shown,
            find_taint=runtime.find_taint,
            find_sessions=partial(find_own_sessions, runtime),
        )


def shape(answer: DistilAnswer) -> dict[str, object]:
    counts = ("stashes", "facts", "removed", "episodes", "preferences", "tokens", "notes")
    return {
        "changed": answer.has_changes,
        "written": answer.done,
        **pick(answer, "files", "bookkeeping", *counts),
        "failed": label(answer.failed, "path", "problem"),
        "model": answer.model,
        "gathered": [pick(each, "id", "sort", "text") for each in answer.gathered],
        **pick(answer, "waiting", "diff"),
    }


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: answer.checked and answer.has_changes,
    params=(
        Param(name="check", help="Only compare; the exit status is 1 if something would change.", kind="flag"),
        YES,
        Param(name="agents", help="Also write the block to AGENTS.md.", kind="flag"),
        Param(name="gemini", help="Also write the block to GEMINI.md.", kind="flag"),
        Param(name="rules", help="Extract by rules, also if the settings name a language model.", kind="flag"),
        Param(name="gather", help="Only show the texts to extract from, for an agent that does it.", kind="flag"),
        Param(
            name="proposals",
            help="What an agent has extracted: one JSON object a line, each with source and quote.",
            free_text=True,
        ),
    ),
    details=(
        "Reads the stashes in .claude/stash/ that were not read before, the user's objections that `limpet friction` "
        "has found, and the kept, public memories of this project. Writes .claude/memory/MEMORY.md and the block "
        "between MEMORY:START and MEMORY:END in CLAUDE.md; the rest of CLAUDE.md stays as it is. The changes are shown "
        "first: on a terminal you are asked, elsewhere --yes writes them. If `llm.provider` and `llm.daily_tokens` "
        "allow it, a language model extracts lines from the stashes; each line must be supported by its stash."
    ),
    examples=("limpet distil", "limpet distil --check", "limpet distil --agents --yes"),
)
