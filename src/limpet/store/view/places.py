"""Find the positions of the changes of some roots in the journal."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.store.view.open import View
from limpet.store.view.purged import heirs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def places_of(view: View, roots: Iterable[str]) -> list[tuple[str, int]]:
    """Return the segment and the position of each change of these roots, and of the facts that are based on them."""
    found: list[tuple[str, int]] = []
    waiting = list(roots)
    seen = set(waiting)
    while waiting:
        root = waiting.pop()
        rows: list[Any] = view.run(
            "SELECT coalesce(c.subject, c.root), s.name, c.start FROM change c JOIN source s ON s.key = c.source "
            "WHERE c.root = ?",
            (root,),
        ).fetchall()
        found += [(str(row[1]), row[2]) for row in rows]
        for subject in {str(row[0]) for row in rows}:
            facts = {heir for heir in heirs_of(view, subject) if heir.startswith("fact_")} - seen
            seen |= facts
            waiting += facts
    return found
