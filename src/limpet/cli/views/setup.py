"""How setup and uninstall look to a person: every change before it is made, then what came of it."""

from __future__ import annotations

from datetime import datetime

from limpet.cli.terminal import Out, complain
from limpet.hosts.wiring import TITLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.setup import Wired

_WILL = {
    "write": "add to {}",
    "create": "create {}",
    "restore": "put {} back as it was",
    "clean": "take our entries out of {}",
    "delete": "delete {}, which was not there before",
    "keep": "nothing to do in {}",
}


def announce(answer: Wired, out: Out) -> None:
    """What is about to happen, file by file."""
    for step in answer.steps:
        if step.problem:
            continue
        what = _WILL[step.action].format(step.path)
        out.line(f"{TITLES[step.host]}: {what}", style="dim" if step.action == "keep" else "")
        for line in step.lines:
            out.line(f"  + {line}", style="green")


def setup(answer: Wired, out: Out, now: datetime) -> None:
    if not answer.done:
        announce(answer, out)
    else:
        for host in answer.hosts:
            changed = any(step.host == host and step.action != "keep" for step in answer.steps)
            since = "from its next session on" if changed else "already"
            out.line(f"{TITLES[host]} calls Limpet {since}", style="bold")
    _ending(answer, out)


def uninstall(answer: Wired, out: Out, now: datetime) -> None:
    if not answer.done:
        announce(answer, out)
    elif not answer.problems:
        out.line("Limpet is out of the settings of every agent" if len(answer.hosts) > 1 else "done", style="bold")
    _ending(answer, out)


def _ending(answer: Wired, out: Out) -> None:
    for note in answer.notes:
        out.line(f"note: {note}", style="yellow")
    for problem in answer.problems:
        complain(problem)
