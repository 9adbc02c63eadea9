"""Connect Limpet to the agent clients on this machine: add its hooks and its MCP server to their settings."""

from __future__ import annotations

import os

from limpet.care.signing import sign_everything, wants_first_key
from limpet.errors import Refused
from limpet.hosts import HOSTS, wiring
from limpet.lean.record import pick, replace
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.wiring.bundle import refresh_bundle
from limpet.wiring.launcher import RUNTIME, describe_runtime, find_launcher
from limpet.wiring.ledger import WiringLedger, write_private
from limpet.wiring.plans import SetupAnswer, has_stored, plan_setup
from limpet.wiring.steps import carry_out


def run(
    runtime: Runtime,
    *,
    host: str | None = None,
    dry_run: bool = False,
    project: bool = False,
    statusline: bool = False,
) -> SetupAnswer:
    ledger = WiringLedger(runtime.settings.home)
    if not os.path.isdir(wiring.home_folder()):
        raise Refused(f"your home folder {wiring.home_folder()} is not there; set HOME to your own folder")
    launcher = find_launcher()
    chosen = tuple(each for each in HOSTS if (wiring.is_present(each) if host in (None, "all") else each == host))
    if not chosen:
        raise Refused(
            "no agent was found on this machine; install one and run this again, or name it, "
            f"e.g. limpet setup {HOSTS[0]}"
        )
    root = runtime.place.root if project else ""
    if dry_run:
        return plan_setup(ledger, launcher, chosen, root, statusline)
    with ledger.lock():
        plan = plan_setup(ledger, launcher, chosen, root, statusline)
        steps = tuple(carry_out(step) for step in plan.steps)
        failed = {step.host for step in steps if step.problem}
        write_private(os.path.join(ledger.home, RUNTIME), describe_runtime(ledger, launcher))
        key_id = _make_key(runtime)
    refresh_bundle()
    hosts = tuple(each for each in plan.hosts if each not in failed)
    key_folder = runtime.keys.folder if key_id and not runtime.settings.sign.keyring else ""
    return replace(plan, steps=steps, hosts=hosts, done=True, key_id=key_id, key_folder=key_folder)


def _make_key(runtime: Runtime) -> str:
    """Make a signing key and return its id, or an empty string if there is a key already or the settings forbid it."""
    if not runtime.settings.sign.at_setup or runtime.keys.ring().is_promised:
        return ""
    if not has_stored(runtime.settings.home):
        # There are no memories to sign, so the store need not be created.
        key_id = runtime.keys.begin(in_keyring=runtime.settings.sign.keyring)
        runtime.keys.finish()
        return key_id
    return sign_everything(runtime, new_key=True).key_id if wants_first_key(runtime) else ""


def shape(answer: SetupAnswer) -> dict[str, object]:
    files = [{**pick(step, "host", "path", "action"), "adds": step.lines} for step in answer.steps]
    more = pick(answer, "notes", "offers", "problems", "key_id", "key_folder")
    return {"done": answer.done, "hosts": answer.hosts, "files": files, **more}


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: bool(answer.problems) or not answer.hosts,
    params=(
        Param(
            name="host",
            help="The agent to connect; all that are found if not given.",
            kind="choice",
            choices=(*HOSTS, "all"),
            positional=True,
        ),
        Param(name="dry_run", help="Only show what would be changed.", kind="flag"),
        Param(name="project", help="Connect it in this project only, instead of in all projects.", kind="flag"),
        Param(
            name="statusline",
            help="Also show what was told in the status line of Claude Code, if nothing else is shown there.",
            kind="flag",
        ),
    ),
    details=(
        "Shows every change before it makes it, and keeps the earlier text of each file, so that `limpet uninstall` "
        "can restore it byte for byte. Running it again changes nothing. It also makes a signing key, unless the "
        "setting sign.at_setup is false."
    ),
    examples=("limpet setup", "limpet setup --dry-run", "limpet setup claude-code", "limpet setup --project"),
)
