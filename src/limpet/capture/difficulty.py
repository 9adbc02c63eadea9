"""Estimate how hard it was to learn something: failures, amount of work, and whether the host compacted the session.

The counters start again whenever a memory is stored, so that what is learnt in an easy hour after a hard one does not
count as hard.
"""

from __future__ import annotations

from limpet.lean.record import record

UNKNOWN = 0.5
_MUCH_WORK = 50


@record
class Effort:
    """Counters of what has happened since a memory was last stored."""

    tools: int = 0
    failures: int = 0
    compacted: bool = False

    def after_tool(self, *, failed: bool) -> Effort:
        """Return the counters after one more tool call."""
        return Effort(tools=self.tools + 1, failures=self.failures + failed, compacted=self.compacted)


def difficulty(effort: Effort, explicit: float | None = None) -> float:
    """Return 0.5 failure rate + 0.3 min(1, tools / 50) + 0.2 compacted, or the explicit value if there is one."""
    if explicit is not None:
        return min(1.0, max(0.0, explicit))
    if not effort.tools and not effort.compacted:
        return UNKNOWN
    rate = effort.failures / effort.tools if effort.tools else 0.0
    return 0.5 * rate + 0.3 * min(1.0, effort.tools / _MUCH_WORK) + 0.2 * effort.compacted
