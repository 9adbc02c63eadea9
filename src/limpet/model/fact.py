"""Facts: subject, predicate, object, with confidence and the window in which they held."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.record import record


@record
class Fact:
    id: str
    agent: str
    project: str | None = None
    app: str | None = None
    subject: str
    predicate: str
    object: str
    confidence: float = 1.0
    sources: tuple[str, ...] = ()
    valid_from: datetime
    valid_to: datetime | None = None
    closed_by: str | None = None

    def holds_at(self, moment: datetime) -> bool:
        return self.valid_from <= moment and (self.valid_to is None or moment < self.valid_to)
