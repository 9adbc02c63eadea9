"""Write a line for a session start about notes (captured memories) that wait for the user's decision.

The line is written only if there are several notes, and only once every few days.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from limpet.inject.recipient import Recipient
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading

WAITING = "waiting"
"""The key in `Receipt.notes` that records such a line; its value is the id that `find_owner_id` returns."""


def describe_waiting(recipient: Recipient, *, reading: Reading, settings: InjectSettings, now: datetime) -> str:
    """Return a line with the number of notes that wait for a decision.

    Return an empty string if there are too few notes, or if such a line was shown in the project recently.
    """
    least = settings.notes_waiting
    count = reading.count_notes(recipient.scope, now=now) if least else 0
    if not least or count < least:
        return ""
    since = now - timedelta(days=settings.notes_days)
    if reading.was_noted(WAITING, find_owner_id(recipient), since=since):
        return ""
    return f"{count} notes wait for a decision: the user can run `limpet inbox`, or let you use review_notes."


def find_owner_id(recipient: Recipient) -> str:
    """Return the id of the recipient's project, or of its agent if there is no project."""
    return recipient.scope.project or recipient.scope.agent
