"""Print the exported records, or how many of them were written to which file."""

from __future__ import annotations

from limpet.forms.terminal import Output, print_notice
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.export import ExportAnswer


def show_export(answer: ExportAnswer, out: Output) -> None:
    if answer.path is None:
        for record in answer.records:
            out.json(record)
        if not (answer.memories or answer.facts or answer.left_out):
            out.remark_empty("there is nothing to export here")
    else:
        out.line(f"wrote {plural(answer.memories, 'memory')} and {plural(answer.facts, 'fact')} to {answer.path}")
    if answer.left_out:
        them = "it" if answer.left_out == 1 else "them"
        print_notice(f"left out {plural(answer.left_out, 'private memory')}; --private includes {them}")
