"""A memory on its way into a prompt: past the governor, with what the reader must know about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from limpet.doors.governor import Passed, Way, govern
from limpet.inject.freshness import Freshness, freshness, said
from limpet.lean.record import field, record
from limpet.model.query import Stored
from limpet.settings import InjectSettings

Judge = Callable[[Stored], Stored]


@record
class Candidate:
    stored: Stored
    passed: Passed
    note: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)


def candidate(
    stored: Stored,
    *,
    way: Way,
    root: str | None,
    settings: InjectSettings,
    parts: Mapping[str, float] | None = None,
) -> Candidate | None:
    """The memory as it may be shown, or nothing if it may not be."""
    passed = govern(stored, way=way)
    if not isinstance(passed, Passed):
        return None
    state, path = freshness(stored.memory.citations, root)
    if settings.withhold_stale and state in (Freshness.STALE, Freshness.GONE):
        return None
    note = "; ".join(each for each in (passed.label, said(state, path)) if each)
    return Candidate(stored=stored, passed=passed, note=note, parts=parts or {})
