"""Show which memories were erased."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.purge import PurgeAnswer


def show(answer: PurgeAnswer, out: Output) -> None:
    for id, title in zip(answer.ids, answer.titles, strict=True):
        out.line(f"purged {id}" if answer.done else f"would purge {id}  {title[:80]}")
    for fact in answer.facts:
        out.line(f"{'purged' if answer.done else 'would purge'} {fact}")
    for path in answer.files:
        out.line(f"{'erased the text' if answer.done else 'would erase the text'} in {path}")
    for path, problem in answer.failed:
        out.remark(f"{path} still holds the text: {problem}; remove it there yourself", style="red")
    for id in answer.others:
        out.remark(f"{id} repeats a sentence of it and stays; to erase it too: limpet purge {id}", style="yellow")
    if not answer.ids:
        out.remark("nothing to purge")
