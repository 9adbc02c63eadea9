"""Show a page of memories."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day, format_headline, format_id, format_state, show_rest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.query import Page, Stored


_OTHER_COLUMNS = 52
"""The width in characters of all columns except the memory, on a terminal."""


def show(page: Page[Stored], out: Output) -> None:
    if not page.items:
        if page.total:
            out.remark(f"no more: there are only {page.total}")
            return
        out.remark_empty("no memories here")
        if not out.asked:
            out.hint('limpet remember "…" stores one; --all shows forgotten ones too')
        return
    rows = [
        (
            format_id(stored, out),
            stored.memory.label + (" 📌" if stored.memory.pinned else ""),
            format_day(stored.memory.created_at),
            format_state(stored),
            format_headline(stored.memory, max(80, out.width_left(_OTHER_COLUMNS))),
        )
        for stored in page.items
    ]
    out.table(("id", "kind", "date", "state", "memory"), rows)
    show_rest(page.offset + len(page.items), page.total, out)
