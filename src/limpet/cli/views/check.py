"""Show the statements in memories and instruction files that a diff makes false."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.insight.drift.report import name_place
from limpet.text.excerpt import clip
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.check import CheckAnswer

_MOST_ADDED = 10


def show(answer: CheckAnswer, out: Output) -> None:
    if answer.report:
        for line in answer.report.splitlines():
            out.line(line)
        return
    for each in answer.findings:
        out.line(f"{name_place(each)}: {each.falsehood.why}", style="yellow")
        out.line(f"  {clip(' '.join(each.text.split()), 160)}", style="dim")
    compared = f"{answer.base[:10]}...{answer.head[:10]}, {plural(answer.files, 'changed file')}"
    what = plural(len(answer.findings), "statement")
    out.line(f"{what} made false by {compared}" if answer.findings else f"nothing is made false by {compared}")
    for addition in answer.added[:_MOST_ADDED]:
        out.line(f"adds {name_place(addition)}: {clip(' '.join(addition.text.split()), 120)}", style="dim")
    if len(answer.added) > _MOST_ADDED:
        out.hint(f"{len(answer.added) - _MOST_ADDED} more are added; --json lists them all")
