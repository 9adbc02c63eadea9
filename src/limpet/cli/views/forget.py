"""Show which memories were forgotten."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import headline, short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.forget import ForgetAnswer


def show(answer: ForgetAnswer, out: Output) -> None:
    for stored in answer.memories:
        out.line(f"{'forgot' if answer.done else 'would forget'} {stored.memory.id}  {headline(stored.memory, 80)}")
    if not answer.memories:
        out.remark("nothing to forget")
    elif answer.done:
        several = len(answer.memories) > 1
        named = "ID" if several else short_id(answer.memories[0].memory.id)
        out.hint(f"limpet restore {named} brings {'one' if several else 'it'} back")
