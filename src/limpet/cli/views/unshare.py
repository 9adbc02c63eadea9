"""Print which shared files were removed, or would be."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.operations.unshare import UnshareAnswer
from limpet.text.plural import plural


def show(answer: UnshareAnswer, out: Output) -> None:
    count = plural(len(answer.files), "file")
    if not answer.is_done:
        out.remark(f"{count} would be removed from {answer.folder}; no memory is forgotten")
        return
    out.line(f"removed {count} from {answer.folder}; no memory was forgotten", style="green")
    for path in answer.left:
        out.remark(f"{path} was not written by Limpet, or could not be read, and stays", style="yellow")
