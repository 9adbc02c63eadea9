"""Show the outcome of storing a memory."""

from __future__ import annotations

from limpet.cli.terminal import Output, print_notice
from limpet.cli.views.format import format_headline
from limpet.model.memory import Sensitivity
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected


def show(outcome: Outcome, out: Output) -> None:
    match outcome:
        case Admitted(memory=memory):
            out.line(f"remembered {memory.id}  {memory.label}  {memory.region}")
            out.line(f"  {format_headline(memory)}", style="dim")
            if memory.version > 1:
                out.line(f"  version {memory.version}, corrects {memory.corrects}", style="dim")
            if memory.sensitivity is not Sensitivity.PUBLIC:
                out.line(f"  stored as {memory.sensitivity}: shown only with --private", style="yellow")
        case Duplicate(memory=memory):
            out.line(f"already stored as {memory.id}  {memory.label}")
        case Rejected(reason=reason):
            print_notice(reason)
    if outcome.redacted:
        out.line(f"  redacted: {', '.join(dict.fromkeys(outcome.redacted))}", style="yellow")
    for note in outcome.notes:
        out.line(f"  {note}", style="yellow")
