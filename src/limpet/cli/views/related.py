"""Show the memories that are related to a given memory."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_headline, format_id, show_rest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.query import Hit, Page

_SCORED = ("match", "recency", "strength", "trust")
"""The parts that are in the score of every hit. Any other part names a reason why the memory is related."""


def show(page: Page[Hit], out: Output) -> None:
    if not page.items:
        out.remark("no related memories")
        return
    rows = [
        (
            format_id(hit.stored, out),
            hit.memory.label,
            ", ".join(part for part in hit.parts if part not in _SCORED),
            f"{hit.score:.2f}",
            format_headline(hit.memory),
        )
        for hit in page.items
    ]
    out.table(("id", "kind", "why", "score", "memory"), rows)
    show_rest(page.offset + len(page.items), page.total, out)
