"""Say at the start of a session that notes wait for a decision: one line, only for several notes, and rarely."""

from __future__ import annotations

from datetime import datetime, timedelta

from limpet.inject.recipient import Recipient
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading

WAITING = "waiting"
"""The name of the line among the notes of a receipt; its value names the project."""


def describe_waiting(recipient: Recipient, *, reading: Reading, settings: InjectSettings, now: datetime) -> str:
    """Return the line about waiting notes; empty if they are few, or if the project was told of them lately."""
    least = settings.notes_waiting
    count = reading.count_notes(recipient.scope, now=now) if least else 0
    if not least or count < least:
        return ""
    since = now - timedelta(days=settings.notes_days)
    if reading.was_noted(WAITING, find_owner_id(recipient), since=since):
        return ""
    return f"{count} notes wait for a decision: the user can run `limpet inbox`, or let you use review_notes."


def find_owner_id(recipient: Recipient) -> str:
    """Return the id of the project, or of the agent outside of a project."""
    return recipient.scope.project or recipient.scope.agent
