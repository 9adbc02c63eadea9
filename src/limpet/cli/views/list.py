"""Show a page of memories."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day, format_headline, format_id, show_rest
from limpet.model.change import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.query import Page, Stored


_OTHER_COLUMNS = 45
"""The width in characters of all columns except the memory, on a terminal."""


def show(page: Page[Stored], out: Output) -> None:
    if not page.items:
        out.remark("no memories here" if not page.total else f"no more: there are only {page.total}")
        if not page.total:
            out.hint('limpet remember "…" stores one; --all shows forgotten ones too')
        return
    rows = [
        (
            format_id(stored, out),
            stored.memory.label + (" 📌" if stored.memory.pinned else ""),
            format_day(stored.memory.created_at),
            "" if stored.status is Status.LIVE else stored.status.value,
            format_headline(stored.memory, max(80, out.width_left(_OTHER_COLUMNS))),
        )
        for stored in page.items
    ]
    out.table(("id", "kind", "date", "", "memory"), rows)
    show_rest(page.offset + len(page.items), page.total, out)
