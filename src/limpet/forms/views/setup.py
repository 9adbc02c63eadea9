"""Show what `setup` or `uninstall` is about to change in the agents' settings, then what it has done."""

from __future__ import annotations

from limpet.forms.terminal import Output, print_notice
from limpet.hosts.wiring import TITLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.wiring.plans import SetupAnswer

_WILL = {
    "write": "add to {}",
    "create": "create {}",
    "restore": "restore {} as it was before",
    "clean": "remove our entries from {}",
    "delete": "delete {}, which setup created",
    "keep": "nothing to do in {}",
}


def show_setup(answer: SetupAnswer, out: Output) -> None:
    if not answer.done:
        show_changes(answer, out)
        show_offers(answer, out)
    else:
        for host in answer.hosts:
            changed = any(step.host == host and step.action != "keep" for step in answer.steps)
            since = "from its next session on" if changed else "already"
            out.line(f"{TITLES[host]} calls Limpet {since}", style="bold")
        if answer.key_id:
            keyring = "in your keyring; back it up"
            place = f"in {answer.key_folder}; back up that folder" if answer.key_folder else keyring
            out.line(f"created the signing key {answer.key_id} {place} with your memories")
    _show_notes(answer, out)


def show_uninstall(answer: SetupAnswer, out: Output) -> None:
    if not answer.done:
        show_changes(answer, out)
    elif not answer.problems:
        out.line("Limpet is out of the settings of every agent" if len(answer.hosts) > 1 else "done", style="bold")
    _show_notes(answer, out)


def show_changes(answer: SetupAnswer, out: Output) -> None:
    """List what is about to change, file by file."""
    for step in answer.steps:
        if step.problem:
            continue
        what = _WILL[step.action].format(step.path)
        out.line(f"{TITLES[step.host]}: {what}", style="dim" if step.action == "keep" else "")
        for line in step.lines:
            out.line(f"  + {line}", style="green", hang=4)


def show_offers(answer: SetupAnswer, out: Output) -> None:
    for offer in answer.offers:
        out.line(offer, style="dim")


def _show_notes(answer: SetupAnswer, out: Output) -> None:
    for note in answer.notes:
        out.line(f"note: {note}", style="yellow")
    for problem in answer.problems:
        print_notice(problem)
