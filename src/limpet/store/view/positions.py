"""Find the positions of changes in the journal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from limpet.store.view.open import View
from limpet.store.view.purged import find_derived


def places_of(view: View, roots: Iterable[str]) -> list[tuple[str, int]]:
    """Return the segment and the position of each change of these roots, and of facts that were derived from them.

    A root is the id under which changes are folded together, such as the id of the first version of a memory.
    """
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
            facts = {each for each in find_derived(view, subject) if each.startswith("fact_")} - seen
            seen |= facts
            waiting += facts
    return found
