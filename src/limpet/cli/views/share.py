"""Print which memories would be shared (in a dry run), or the result of writing the shared files."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_id, show_headline
from limpet.cli.views.sync import show as show_sync
from limpet.cli.views.sync import show_withheld
from limpet.operations.share import ShareAnswer
from limpet.text.plural import plural


def show(answer: ShareAnswer, out: Output) -> None:
    if answer.sync is not None:
        show_sync(answer.sync, out)
        out.remark(f"to share them, commit {answer.folder}")
        return
    for stored in answer.memories:
        show_headline(f"{format_id(stored, out)}  {stored.memory.label:<10}  ", stored.memory, out)
    show_withheld(answer.withheld, out)
    out.remark(f"{plural(len(answer.memories), 'memory')} would be written to {answer.folder}")
