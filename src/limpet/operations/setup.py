"""Wire Limpet into the agents on this machine: their hooks, and the MCP server."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from importlib.util import find_spec

import limpet
from limpet import system
from limpet.errors import Refused
from limpet.hosts import HOSTS, wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import TITLES, Launcher
from limpet.lean.record import record, replace
from limpet.operations.catalogue import Param, Verb
from limpet.operations.ledger import Ledger, Step, done, unwind, wire, write_own
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RUNTIME = "runtime.json"
_LIBRARIES = ("limpet", "apsw", "sqlite_vec")
# Interpreters in these places are there for one command only.
_PASSING = ("/uv/archive-v", "/uv/builds-v", "/.cache/pipx/", "/pipx/.cache/")


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
    if not os.path.isdir(wiring.own_folder()):
        raise Refused(f"your home folder {wiring.own_folder()} is not there; set HOME to a folder of yours")
    launcher = find_launcher()
    chosen = tuple(each for each in HOSTS if (wiring.is_there(each) if host in (None, "all") else each == host))
    root = runtime.place.root if project else ""
    if dry_run:
        return _planned(ledger, launcher, chosen, root)
    with ledger.alone():
        plan = _planned(ledger, launcher, chosen, root)
        steps = tuple(done(step) for step in plan.steps)
        failed = {step.host for step in steps if step.problem}
        write_own(os.path.join(ledger.home, RUNTIME), describe(ledger, launcher))
    return replace(plan, steps=steps, hosts=tuple(each for each in plan.hosts if each not in failed), done=True)


def _planned(ledger: Ledger, launcher: Launcher, chosen: tuple[str, ...], root: str) -> SetupAnswer:
    steps: list[Step] = []
    notes: list[str] = []
    for host in chosen:
        known = [entry for entry in ledger.entries.values() if entry.host == host]
        if host == "claude-code" and claude_code.plugin() == "enabled":
            steps += [unwind(ledger, entry) for entry in known]
            notes.append("Limpet's plugin is enabled in Claude Code and does the rest; its settings need no change")
            continue
        if root and any(not entry.project for entry in known):
            notes.append(f"{TITLES[host]} calls Limpet in every project already; this one needs no change")
            continue
        if not root:
            # Called from the user's settings and from a project's, everything would happen twice there.
            steps += [unwind(ledger, entry) for entry in known if entry.project]
        files = wiring.files(host, launcher, project=root or None)
        steps += [wire(ledger, file, project=root) for file in files]
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


def describe(ledger: Ledger, launcher: Launcher) -> dict[str, Any]:
    """What `runtime.json` says, for the plugin, the hooks and the doctor: what to start, and who calls us how."""
    entries = ledger.entries.values()
    hosts = {entry.host: "settings" for entry in entries if not entry.project}
    if claude_code.plugin() == "enabled":
        hosts["claude-code"] = "plugin"
    return {
        "python": launcher.python,
        "path": list(launcher.path),
        "hook": launcher.hook,
        "version": launcher.version,
        "hosts": hosts,
        "projects": sorted({entry.project for entry in entries if entry.project and entry.host == "claude-code"}),
    }


def find_launcher() -> Launcher:
    """The interpreter that runs us. One in a virtual environment is a link and must stay one, or it loses its own."""
    python = os.path.abspath(sys.executable) if sys.executable else ""
    if not os.path.isfile(python):
        raise Refused("the path of this Python is not known; start Limpet with the full path of its program")
    slashed = python.replace("\\", "/")
    if any(mark in slashed for mark in _PASSING):
        raise Refused("this Limpet runs from a cache that will be emptied; first: uv tool install limpet")
    folder = os.path.dirname(os.path.abspath(limpet.__file__))
    return Launcher(
        python=python,
        hook=os.path.join(folder, "cli", "hook.py"),
        path=tuple(dict.fromkeys(place for name in _LIBRARIES if (place := _holder(name)))),
        version=limpet.__version__,
        windows=system.WINDOWS,
    )


def _holder(name: str) -> str | None:
    """The folder that a package lies in."""
    spec = find_spec(name)
    if spec is None or not spec.origin:
        return None
    inner = os.path.dirname(os.path.abspath(spec.origin))
    return os.path.dirname(inner) if spec.submodule_search_locations else inner


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
