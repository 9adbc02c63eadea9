"""How hard it was to learn something: failures, the amount of work, and whether the conversation had to be shortened.

Counted per segment. Storing a memory uses the counters and starts them afresh, so that what is learnt in an easy hour
after a hard one is not called hard.
"""

from __future__ import annotations

from limpet.lean.record import record

UNKNOWN = 0.5
_MUCH_WORK = 50


@record
class Effort:
    """What has happened since a memory was last stored."""

    tools: int = 0
    failures: int = 0
    compacted: bool = False

    def after(self, *, failed: bool) -> Effort:
        return Effort(tools=self.tools + 1, failures=self.failures + failed, compacted=self.compacted)


def difficulty(effort: Effort, explicit: float | None = None) -> float:
    """0.5 failure rate + 0.3 min(1, tools / 50) + 0.2 compacted; what was said explicitly wins."""
    if explicit is not None:
        return min(1.0, max(0.0, explicit))
    if not effort.tools and not effort.compacted:
        return UNKNOWN
    rate = effort.failures / effort.tools if effort.tools else 0.0
    return 0.5 * rate + 0.3 * min(1.0, effort.tools / _MUCH_WORK) + 0.2 * effort.compacted
