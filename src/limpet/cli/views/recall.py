"""Show the memories that answer a question, or the most similar memories if none answers it."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day, format_headline, show_rest, starts_with_title, warning_mark
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.query import Hit, Page


def show(page: Page[Hit], out: Output) -> None:
    if not page.items:
        out.remark_empty("nothing found")
    is_answered = any(not hit.weak for hit in page.items)
    if page.items and not is_answered:
        out.remark("no clear answer; these memories come nearest:")
    for hit in page.items:
        memory = hit.memory
        # Scores compare the hits of one question only, so the best of several weak hits can have a high one.
        match = "weak" if hit.weak else f"{hit.score:.2f}"
        out.line(
            f"{warning_mark(hit.stored)}{memory.id}  {memory.label}  {format_day(memory.created_at)}  {match}",
            style="cyan",
        )
        text = " ".join(memory.content.split())
        if hit.weak and is_answered:
            out.line(f"  {format_headline(hit.memory)}")
        elif starts_with_title(memory):
            out.line(f"  {text}", style="bold")
        else:
            out.line(f"  {format_headline(hit.memory)}", style="bold")
            out.line(f"  {clip(text, 400)}")
        if out.detailed:
            out.line(f"  {', '.join(f'{name} {value:.2f}' for name, value in hit.parts.items())}", style="dim")
    show_rest(page.offset + len(page.items), page.total, out)
