"""Print the changes that `distil` would make as a diff, or a summary of what it has written."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.operations.distil import DistilAnswer
from limpet.text.plural import plural

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def show(answer: DistilAnswer, out: Output, *, is_question: bool = False) -> None:
    """Print the changes, or a summary of what was written.

    `is_question` means that the caller then asks for consent.
    """
    if answer.gathered or answer.waiting:
        _show_gathered(answer, out)
    elif answer.done and answer.has_changes:
        out.line(f"wrote {', '.join((*answer.files, *answer.bookkeeping))}: {_describe(answer)}", style="green")
        _show_tokens(answer, out)
    elif answer.has_changes:
        for line in answer.diff.splitlines():
            style = "bold" if line.startswith(("+++", "---")) else _STYLES.get(line[:1], "")
            # A line after a break would look like an unchanged line of the file.
            out.line(line, style=style, wraps=False)
        written = "" if is_question else f"; nothing was written{'' if answer.checked else ', --yes writes it'}"
        out.remark(f"{_describe(answer)}{written}")
        _show_tokens(answer, out)
    else:
        marked = f"; wrote {', '.join(answer.bookkeeping)}" if answer.done and answer.bookkeeping else ""
        out.remark(f"there is nothing to distil that is not written already{marked}")
    if answer.model and answer.has_changes:
        out.remark(f"extracted by {answer.model}", style="dim")
    for note in answer.notes:
        out.remark(note, style="yellow")
    for path, problem in answer.failed:
        out.remark(f"{path} was not read: {problem}", style="yellow")


def _show_gathered(answer: DistilAnswer, out: Output) -> None:
    for each in answer.gathered:
        out.line(f"## {each.id} ({each.sort})", style="cyan")
        out.line(each.text)
    if answer.waiting:
        out.remark(f"{plural(answer.waiting, 'more stash')} after these")


def _describe(answer: DistilAnswer) -> str:
    counts = (
        (answer.facts, "new fact"),
        (answer.removed, "removed line"),
        (answer.episodes, "new episode"),
        (answer.preferences, "changed preference"),
    )
    return ", ".join(plural(count, name) for count, name in counts if count) or "the same lines"


def _show_tokens(answer: DistilAnswer, out: Output) -> None:
    sizes = ", ".join(f"{name} {count:,}" for name, count in answer.tokens.items())
    out.remark(f"tokens at each start: {sizes}", style="dim")
