"""Show the result of `doctor`: facts, problems and repairs."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import show_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.doctor import DoctorAnswer


def show(answer: DoctorAnswer, out: Output) -> None:
    for name, value in answer.facts.items():
        out.line(f"{name:<10} {value}", hang=11)
    for note in answer.notes:
        out.line(f"note: {note}", style="yellow")
    for warning in answer.warnings:
        out.line(f"warning: {warning}", style="yellow")
    for text in answer.mended:
        out.line(f"repaired: {text}", style="green")
    for text in answer.proved:
        out.line(f"proved: {text}", style="green")
    for problem in answer.problems:
        show_problem(problem, out)
    if not answer.problems and answer.warnings:
        out.line("nothing is damaged, but read the warning above", style="yellow")
    elif not answer.problems:
        out.line("all is well", style="green")
