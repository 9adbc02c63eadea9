"""Show how many memories were signed."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.sign import SignAnswer


def show(answer: SignAnswer, out: Output) -> None:
    if answer.new_key:
        out.line(f"created key {answer.key_id}")
    out.line(f"signed {plural(answer.signed, 'memory')}")
    for id in answer.left:
        out.line(f"⚠ not signed, because its present signature is wrong: {id}", style="red")
