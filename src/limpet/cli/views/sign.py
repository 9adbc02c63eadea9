"""Show how many memories were signed."""

from __future__ import annotations

from limpet.cli.terminal import Out
from limpet.cli.views.format import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.sign import SignAnswer


def show(answer: SignAnswer, out: Out) -> None:
    if answer.new_key:
        out.line(f"made the key {answer.key_id}")
    out.line(f"signed {plural(answer.signed, 'memory')}")
    for id in answer.left:
        out.line(f"⚠ left unsigned because its signature is wrong: {id}", style="red")
