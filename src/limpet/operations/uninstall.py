"""Remove Limpet from the settings of the agent clients. The memories stay."""

from __future__ import annotations

import contextlib
import os

from limpet.hosts import HOSTS
from limpet.lean.record import replace
from limpet.operations import setup
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.wiring.ledger import WiringLedger
from limpet.wiring.plans import SetupAnswer, describe_home, has_stored, plan_removals, update_runtime
from limpet.wiring.steps import carry_out


def run(runtime: Runtime, *, host: str | None = None, dry_run: bool = False) -> SetupAnswer:
    ledger = WiringLedger(runtime.settings.home)
    chosen = HOSTS if host in (None, "all") else (host,)
    if dry_run or not os.path.isdir(ledger.home):
        return plan_removals(ledger, chosen)
    with ledger.lock():
        plan = plan_removals(ledger, chosen)
        steps = tuple(carry_out(step) for step in plan.steps)
        update_runtime(ledger, last=chosen == HOSTS and not any(step.problem for step in steps))
    if chosen == HOSTS and not has_stored(ledger.home):
        # The key was made by `setup` and has signed nothing.
        runtime.keys.discard()
    for name in ("journal", "locks", ""):
        # If nothing was ever stored, these folders are empty. Folders that are not empty stay.
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(ledger.home, name))
    return replace(plan, steps=steps, notes=(*plan.notes[:-1], describe_home(ledger.home)), done=True)


VERB = Verb(
    run=run,
    shape=setup.shape,
    is_failure=lambda answer: bool(answer.problems),
    params=(
        Param(
            name="host",
            help="The agent to disconnect; all if not given.",
            kind="choice",
            choices=(*HOSTS, "all"),
            positional=True,
        ),
        Param(name="dry_run", help="Only show what would be changed.", kind="flag"),
    ),
    details=(
        "A file that is still as `limpet setup` left it is restored byte for byte. From a file that was edited since, "
        "only Limpet's entries are removed."
    ),
    examples=("limpet uninstall", "limpet uninstall codex", "limpet uninstall --dry-run"),
)
