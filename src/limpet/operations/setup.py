"""Wire Limpet into the agents on this machine: their hooks, and the MCP server."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.errors import Refused
from limpet.hosts import HOSTS, wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import TITLES, Launcher
from limpet.lean.record import record, replace
from limpet.operations.catalogue import Param, Verb
from limpet.operations.wiring.launcher import RUNTIME, describe_runtime, find_launcher
from limpet.operations.wiring.ledger import Ledger, write_private
from limpet.operations.wiring.steps import Step, carry_out, plan_removal, plan_wiring
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class SetupAnswer:
    """What was, or would be, changed in which file, and what else there is to know."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    done: bool = False

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(step.problem for step in self.steps if step.problem)


def run(runtime: Runtime, *, host: str | None = None, dry_run: bool = False, project: bool = False) -> SetupAnswer:
    ledger = Ledger(runtime.settings.home)
    if not os.path.isdir(wiring.home_folder()):
        raise Refused(f"your home folder {wiring.home_folder()} is not there; set HOME to a folder of yours")
    launcher = find_launcher()
    chosen = tuple(each for each in HOSTS if (wiring.is_there(each) if host in (None, "all") else each == host))
    root = runtime.place.root if project else ""
    if dry_run:
        return _planned(ledger, launcher, chosen, root)
    with ledger.lock():
        plan = _planned(ledger, launcher, chosen, root)
        steps = tuple(carry_out(step) for step in plan.steps)
        failed = {step.host for step in steps if step.problem}
        write_private(os.path.join(ledger.home, RUNTIME), describe_runtime(ledger, launcher))
    return replace(plan, steps=steps, hosts=tuple(each for each in plan.hosts if each not in failed), done=True)


def _planned(ledger: Ledger, launcher: Launcher, chosen: tuple[str, ...], root: str) -> SetupAnswer:
    steps: list[Step] = []
    notes: list[str] = []
    for host in chosen:
        known = [entry for entry in ledger.entries.values() if entry.host == host]
        if host == "claude-code" and claude_code.plugin() == "enabled":
            steps += [plan_removal(ledger, entry) for entry in known]
            notes.append("Limpet's plugin is enabled in Claude Code and does the rest; its settings need no change")
            continue
        if root and any(not entry.project for entry in known):
            notes.append(f"{TITLES[host]} calls Limpet in every project already; this one needs no change")
            continue
        if not root:
            # Called from the user's settings and from a project's, everything would happen twice there.
            steps += [plan_removal(ledger, entry) for entry in known if entry.project]
        files = wiring.files(host, launcher, project=root or None)
        steps += [plan_wiring(ledger, file, project=root) for file in files]
        notes += _remarks(host, root)
    if not chosen:
        notes.append(f"no agent was found here; name one to wire it all the same: {', '.join(HOSTS)}")
    return SetupAnswer(steps=tuple(steps), notes=tuple(notes), hosts=chosen)


def _remarks(host: str, root: str) -> list[str]:
    made = []
    if host == "codex":
        made.append("Codex runs hooks only after you trust them: start it and say /hooks")
    if host == "claude-code" and claude_code.native_memory():
        made.append(claude_code.native_memory())
    if root:
        made.append(f"the settings in {root} name paths of this machine: think before you commit them")
    return made


def to_json(answer: SetupAnswer, now: datetime) -> dict[str, Any]:
    return {
        "done": answer.done,
        "hosts": list(answer.hosts),
        "files": [
            {"host": step.host, "path": step.path, "action": step.action, "adds": list(step.lines)}
            for step in answer.steps
        ],
        "notes": list(answer.notes),
        "problems": list(answer.problems),
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    is_failure=lambda answer: bool(answer.problems) or not answer.hosts,
    params=(
        Param(
            name="host",
            help="Which agent; otherwise every one that is found.",
            kind="choice",
            choices=(*HOSTS, "all"),
            positional=True,
        ),
        Param(name="dry_run", help="Only say what would be changed.", kind="flag"),
        Param(name="project", help="Wire this project instead of all of yours.", kind="flag"),
    ),
    details=(
        "Says every change before it makes it, and keeps what stood there before, so that `limpet uninstall` can put "
        "it back byte for byte. Running it again changes nothing."
    ),
    examples=("limpet setup", "limpet setup --dry-run", "limpet setup claude-code", "limpet setup --project"),
)
