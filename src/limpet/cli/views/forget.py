"""Show which memories were forgotten."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import short_id, show_headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.forget import ForgetAnswer


def show(answer: ForgetAnswer, out: Output) -> None:
    for stored in answer.memories:
        did = "forgot" if answer.done else "would forget"
        show_headline(f"{did} {stored.memory.id}  ", stored.memory, out)
    for stored in answer.restored:
        show_headline(f"told again {stored.memory.id}  ", stored.memory, out)
    if not answer.memories:
        out.remark("nothing to forget")
    elif answer.done:
        several = len(answer.memories) > 1
        named = "ID" if several else short_id(answer.memories[0].memory.id)
        out.hint(f"limpet restore {named} brings {'one' if several else 'it'} back")
