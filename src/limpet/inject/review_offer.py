"""Ask the model once, at the first start after a backfill, to go through the notes with the user.

Words alone cannot tell which notes of old sessions last; a model that reads them can. The projects that have not been
asked yet are listed in a small file.
"""

from __future__ import annotations

import os

from limpet import system
from limpet.lean import quickjson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.doors.context import Context

FILE = "to_review.json"


def request_review(home: str, projects: Iterable[str]) -> None:
    """Let the next session start in each of these projects ask for a review."""
    if due := {*_load_projects(home), *projects}:
        _save_projects(home, due)


def find_offer(context: Context) -> str:
    """Return the line for the model, or an empty string if none is due or the model has no tool for it."""
    project = context.scope.project
    if not context.settings.inject.nudge or project not in _load_projects(context.home):
        return ""
    count = context.recent().count_notes(context.scope, now=context.now())
    if not count:
        settle_offer(context)
    # Loaded here, because an offer is made once.
    from limpet.hosts.servers import has_server

    if not count or not has_server(context.host, context.root):
        return ""
    named = "1 note from an earlier session waits" if count == 1 else f"{count} notes from earlier sessions wait"
    return (
        f"[Limpet] {named} for a decision. When the user has a moment, it is worth going through at most ten with "
        "review_notes: keep what a colleague would still want to know weeks from now, drop the rest."
    )


def settle_offer(context: Context) -> None:
    """Record that the model of a project has been asked."""
    _save_projects(context.home, _load_projects(context.home) - {context.scope.project})


def _load_projects(home: str) -> set[str | None]:
    try:
        with open(os.path.join(home, FILE), encoding="utf-8") as file:
            found = quickjson.loads(file.read())
    except (OSError, ValueError):
        return set()
    return {each for each in found if isinstance(each, str)} if isinstance(found, list) else set()


def _save_projects(home: str, projects: Iterable[str | None]) -> None:
    path = os.path.join(home, FILE)
    system.write_atomically(path, quickjson.dumps(sorted(filter(None, projects))).encode(), durable=False)
