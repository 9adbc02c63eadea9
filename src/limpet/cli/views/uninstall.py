"""Show what `uninstall` is about to change in the agents' settings, then what it has done."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.setup import show_changes, show_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.setup import SetupAnswer


def show(answer: SetupAnswer, out: Output) -> None:
    if not answer.done:
        show_changes(answer, out)
    elif not answer.problems:
        out.line("Limpet is out of the settings of every agent" if len(answer.hosts) > 1 else "done", style="bold")
    show_notes(answer, out)
