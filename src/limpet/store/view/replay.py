"""Make a view of a past moment from the changes that were known then."""

from __future__ import annotations

from limpet.store.journal.line import parse
from limpet.store.protocol import Progress
from limpet.store.view import access
from limpet.store.view.apply import put_change
from limpet.store.view.fold import refold
from limpet.store.view.open import View
from limpet.store.view.purged import note_suspicion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def replay(view: View, source: View, before: str, progress: Progress) -> None:
    """Make an empty view what `source` was when only the changes with ids below `before` were known."""
    found: list[Any] = source.run("SELECT line FROM change WHERE id < ? ORDER BY id", (before,)).fetchall()
    with view.connection:
        roots: dict[str, None] = {}
        for row in (bytes(each[0]) for each in found):
            change, problem, _, _ = parse(row)
            put_change(view, change, problem, "past", 0, row)
            roots[change.root] = None
        for number, root in enumerate(roots):
            refold(view, root)
            progress("going back in time", number + 1, len(roots))
        access.replay_receipts(view, source, before)
        # What is suspicious is so at any time; that a later purge has erased something is not.
        view.run("DELETE FROM suspicion")
        for subject, reason in source.run("SELECT subject, reason FROM suspicion"):
            note_suspicion(view, str(subject), str(reason))
