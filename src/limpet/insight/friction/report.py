"""Add up the conversations of a period: qualities, signals, days, the best and the worst, and a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from limpet.insight.friction.examine import Examined
from limpet.insight.friction.signals import Quality, Signal
from limpet.lean.record import record

_ENOUGH = 5  # interactive conversations: with fewer, a rate says nothing
_WARNING, _CRITICAL = 0.3, 0.5


@record
class Day:
    """The conversations that began on one day, in the local time zone."""

    date: date
    total: int
    interactive: int
    bad: int
    troubled: int
    """How many were BAD or FRICTION."""
    score: float
    """The sum of the scores."""


@record
class Verdict:
    """What the numbers say: HEALTHY, WARNING, CRITICAL or INCONCLUSIVE, with the reasons."""

    status: str
    reasons: tuple[str, ...]
    actions: tuple[str, ...] = ()


@record
class FrictionReport:
    """The conversations of a period, added up; those that a program had are counted apart."""

    made_at: datetime
    since: datetime | None
    until: datetime | None
    conversations: tuple[Examined, ...]
    """The conversations of a person, oldest first."""
    scripted: tuple[Examined, ...]
    """The conversations that a program had: an SDK, `claude -p`, `codex exec`."""

    @property
    def interactive(self) -> tuple[Examined, ...]:
        return tuple(each for each in self.conversations if each.is_interactive)

    @property
    def qualities(self) -> dict[Quality, int]:
        counts = Counter(each.quality for each in self.conversations)
        return {quality: counts[quality] for quality in Quality}

    @property
    def bad_rate(self) -> float:
        """Return the share of BAD among the interactive conversations."""
        return self._share(Quality.BAD)

    @property
    def troubled_rate(self) -> float:
        """Return the share of BAD and FRICTION among the interactive conversations."""
        return self._share(Quality.BAD, Quality.FRICTION)

    def _share(self, *qualities: Quality) -> float:
        asked = self.interactive
        return sum(each.quality in qualities for each in asked) / len(asked) if asked else 0.0

    @property
    def signals(self) -> dict[Signal, int]:
        """Return how often each signal occurred, the most frequent first."""
        counts = Counter(noticed.signal for each in self.conversations for noticed in each.signals)
        return dict(counts.most_common())

    @property
    def days(self) -> tuple[Day, ...]:
        """Return the days on which a conversation began, in their order."""
        grouped: dict[date, list[Examined]] = {}
        for each in self.conversations:
            grouped.setdefault(each.begins.astimezone().date(), []).append(each)
        return tuple(_add_up_day(day, grouped[day]) for day in sorted(grouped))

    @property
    def worst(self) -> Examined | None:
        """Return the interactive conversation with the worst quality, among equals the one with the highest score."""
        order = list(Quality)
        found = min(self.interactive, key=lambda each: (order.index(each.quality), -each.score), default=None)
        return None if found is None or (found.quality is Quality.OK and not found.score) else found

    @property
    def best(self) -> Examined | None:
        """Return the interactive conversation that went best: of those without a signal, the one with most prompts."""
        order = list(Quality)
        asked = self.interactive
        return min(asked, key=lambda each: (-order.index(each.quality), each.score, -each.turns), default=None)

    @property
    def verdict(self) -> Verdict:
        asked, bad = len(self.interactive), sum(each.quality is Quality.BAD for each in self.interactive)
        counted = f"{bad} of {asked} conversations with more than one prompt were BAD"
        if asked < _ENOUGH:
            few = f"fewer than {_ENOUGH} conversations with more than one prompt"
            return Verdict(status="INCONCLUSIVE", reasons=(counted, few))
        status = "CRITICAL" if self.bad_rate > _CRITICAL else "WARNING" if self.bad_rate > _WARNING else "HEALTHY"
        return Verdict(status=status, reasons=(counted, *self._troubles()), actions=self._actions())

    def _troubles(self) -> tuple[str, ...]:
        counts = self.signals
        objections = counts.get(Signal.USER_NEGATION, 0) + counts.get(Signal.USER_CURSE, 0)
        claims = counts.get(Signal.FALSE_SUCCESS, 0)
        named = ((objections, "objections of the user"), (claims, "false claims of success"))
        return tuple(f"{count} {what}" for count, what in named if count)

    def _actions(self) -> tuple[str, ...]:
        has_evidence = any(each.evidence for each in self.conversations)
        return ("read antigen_review.md: what the user objected to, and what came before",) if has_evidence else ()


def make_report(
    conversations: Iterable[Examined], *, made_at: datetime, since: datetime | None, until: datetime | None
) -> FrictionReport:
    """Return the report of the conversations that began in a period; `until` itself is not part of it."""
    chosen = [each for each in conversations if is_within(each, since, until)]
    return FrictionReport(
        made_at=made_at,
        since=since,
        until=until,
        conversations=tuple(each for each in chosen if not each.is_scripted),
        scripted=tuple(each for each in chosen if each.is_scripted),
    )


def is_within(conversation: Examined, since: datetime | None, until: datetime | None) -> bool:
    begins = conversation.begins
    return (since is None or begins >= since) and (until is None or begins < until)


def _add_up_day(day: date, found: Sequence[Examined]) -> Day:
    return Day(
        date=day,
        total=len(found),
        interactive=sum(each.is_interactive for each in found),
        bad=sum(each.quality is Quality.BAD for each in found),
        troubled=sum(each.quality in (Quality.BAD, Quality.FRICTION) for each in found),
        score=sum(each.score for each in found),
    )
