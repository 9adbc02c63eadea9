"""Facts: a subject, a predicate and an object, with a confidence and the period in which the fact holds."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.record import record
from limpet.model.memory import Origin, Sensitivity


@record
class Fact:
    """A statement about a subject that holds in a period of time."""

    id: str
    agent: str
    project: str | None = None
    app: str | None = None
    subject: str
    predicate: str
    object: str
    confidence: float = 1.0
    sources: tuple[str, ...] = ()
    origin: Origin | None = None
    """Who stated the fact; None in a fact from an older journal. The memories in `sources` may be less trusted."""
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    """Who may see the fact. The memories in `sources` may be more restricted."""
    valid_from: datetime
    valid_to: datetime | None = None
    closed_by: str | None = None

    def holds_at(self, moment: datetime) -> bool:
        """Tell whether the fact holds at a time. The end of its period is exclusive."""
        return self.valid_from <= moment and (self.valid_to is None or moment < self.valid_to)
