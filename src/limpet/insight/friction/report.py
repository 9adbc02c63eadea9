"""Aggregate the conversations of a period: by quality, signal and day, with the best, the worst, and a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta

from limpet.clock import to_local
from limpet.insight.friction.measures import ConversationMeasures
from limpet.insight.friction.signals import Quality, Signal
from limpet.lean.record import record
from limpet.text.plural import plural

_ENOUGH = 5
"""The minimum number of interactive conversations for a verdict."""
_WARNING, _CRITICAL = 0.3, 0.5
"""The rates of BAD conversations above which the verdict is WARNING or CRITICAL."""


@record
class Period:
    """The numbers of the conversations that began on one day, or in one week or month, in the local time zone."""

    label: str
    """The date of the day or of the first day of the week, such as 2026-11-02, or the month, such as 2026-11."""
    total: int
    """The number of conversations."""
    interactive: int
    """The number of conversations with more than one prompt."""
    qualities: dict[Quality, int]
    """The numbers of conversations by their quality."""
    score: float
    """The sum of the scores of the conversations."""

    @property
    def bad(self) -> int:
        return self.qualities[Quality.BAD]


@record
class FrictionVerdict:
    """How the conversations of a report went as a whole, why, and what to do about it."""

    status: str
    """HEALTHY, WARNING, CRITICAL, or INCONCLUSIVE if there are too few conversations."""
    reasons: tuple[str, ...]
    actions: tuple[str, ...] = ()
    """What the user should do next, as short texts."""


@record
class FrictionReport:
    """The conversations of a period, with aggregated numbers."""

    made_at: datetime
    since: datetime | None
    """The start of the period; None if it has none."""
    until: datetime | None
    """The end of the period (exclusive); None if it has none."""
    conversations: tuple[ConversationMeasures, ...]
    """The conversations with a person, oldest first. Only these are aggregated."""
    scripted: tuple[ConversationMeasures, ...]
    """The conversations in which a program gave the prompts: an SDK, `claude -p`, `codex exec`."""

    @property
    def interactive(self) -> tuple[ConversationMeasures, ...]:
        """Return the conversations with more than one prompt."""
        return tuple(each for each in self.conversations if each.is_interactive)

    @property
    def qualities(self) -> dict[Quality, int]:
        """Return the number of conversations of each quality."""
        counts = Counter(each.quality for each in self.conversations)
        return {quality: counts[quality] for quality in Quality}

    @property
    def bad_rate(self) -> float:
        """Return the share of BAD conversations among those with more than one prompt."""
        return self._compute_share(Quality.BAD)

    @property
    def troubled_rate(self) -> float:
        """Return the share of BAD and FRICTION conversations among those with more than one prompt."""
        return self._compute_share(Quality.BAD, Quality.FRICTION)

    def _compute_share(self, *qualities: Quality) -> float:
        asked = self.interactive
        return sum(each.quality in qualities for each in asked) / len(asked) if asked else 0.0

    @property
    def signals(self) -> dict[Signal, int]:
        """Return how often each signal occurred, most frequent first."""
        counts = Counter(event.signal for each in self.conversations for event in each.signals)
        return dict(counts.most_common())

    def find_trend(self, most: int | None = None) -> tuple[Period, ...]:
        """Return the numbers by the day on which a conversation began, or by week or month if there are too many days.

        Only the latest `most` periods are returned. If `most` is None, all days are returned.
        """
        found: tuple[Period, ...] = ()
        labels: tuple[Callable[[date], str], ...] = (
            date.isoformat,
            lambda day: (day - timedelta(days=day.weekday())).isoformat(),
            "{:%Y-%m}".format,
        )
        for label in labels:
            grouped: dict[str, list[ConversationMeasures]] = {}
            for each in self.conversations:
                grouped.setdefault(label(to_local(each.begins).date()), []).append(each)
            found = tuple(_add_up_period(name, grouped[name]) for name in sorted(grouped))
            if most is None or len(found) <= most:
                break
        return found if most is None else found[-most:]

    @property
    def worst(self) -> ConversationMeasures | None:
        """Return the conversation with the worst quality, and among several the one with the highest score.

        Only conversations with more than one prompt count. Return None if there are none, or none with a signal.
        """
        order = list(Quality)
        found = min(self.interactive, key=lambda each: (order.index(each.quality), -each.score), default=None)
        return None if found is None or (found.quality is Quality.OK and not found.score) else found

    @property
    def best(self) -> ConversationMeasures | None:
        """Return the conversation with the best quality; among several, the one with the lowest score.

        Only conversations with more than one prompt count. Return None if there are none.
        """
        order = list(Quality)
        asked = self.interactive
        return min(asked, key=lambda each: (-order.index(each.quality), each.score, -each.turns), default=None)

    @property
    def verdict(self) -> FrictionVerdict:
        """Return the verdict, which depends on the share of BAD conversations."""
        asked, bad = len(self.interactive), sum(each.quality is Quality.BAD for each in self.interactive)
        counted = f"{bad} of {asked} conversations with more than one prompt {'was' if bad == 1 else 'were'} BAD"
        if asked < _ENOUGH:
            few = f"fewer than {_ENOUGH} conversations with more than one prompt"
            return FrictionVerdict(status="INCONCLUSIVE", reasons=(counted, few))
        status = "CRITICAL" if self.bad_rate > _CRITICAL else "WARNING" if self.bad_rate > _WARNING else "HEALTHY"
        return FrictionVerdict(status=status, reasons=(counted, *self._list_troubles()), actions=self._list_actions())

    def _list_troubles(self) -> tuple[str, ...]:
        counts = self.signals
        named = (
            (Signal.USER_NEGATION, "objection", "of the user"),
            (Signal.USER_CURSE, "curse", "of the user"),
            (Signal.FALSE_SUCCESS, "false claim", "of success"),
        )
        return tuple(f"{plural(counts[signal], noun)} {rest}" for signal, noun, rest in named if counts.get(signal))

    def _list_actions(self) -> tuple[str, ...]:
        has_evidence = any(each.evidence for each in self.conversations)
        return ("read antigen_review.md: what the user objected to, and what came before",) if has_evidence else ()


def make_report(
    conversations: Iterable[ConversationMeasures], *, made_at: datetime, since: datetime | None, until: datetime | None
) -> FrictionReport:
    """Create the report on the conversations that began in a period. `until` is exclusive."""
    chosen = [each for each in conversations if is_within(each, since, until)]
    return FrictionReport(
        made_at=made_at,
        since=since,
        until=until,
        conversations=tuple(each for each in chosen if not each.is_scripted),
        scripted=tuple(each for each in chosen if each.is_scripted),
    )


def is_within(conversation: ConversationMeasures, since: datetime | None, until: datetime | None) -> bool:
    """Tell whether a conversation began in a period; None means that the period has no start or no end."""
    begins = conversation.begins
    return (since is None or begins >= since) and (until is None or begins < until)


def compare_reports(report: FrictionReport, compared: FrictionReport) -> list[tuple[str, str, str]]:
    """Return measures of two reports side by side: the name, the value in `report`, and the value in `compared`."""

    def measure(each: FrictionReport) -> list[tuple[str, str]]:
        asked = len(each.interactive)
        score = sum(one.score for one in each.conversations) / max(1, len(each.conversations))
        reactions = sum(count for signal, count in each.signals.items() if signal.is_reaction)
        return [
            ("conversations", str(len(each.conversations))),
            ("with more than one prompt", str(asked)),
            ("BAD", f"{each.qualities[Quality.BAD]} ({each.bad_rate:.0%})"),
            ("BAD or FRICTION", f"{each.troubled_rate:.0%}"),
            ("objections, curses and interruptions", str(reactions)),
            ("average score", f"{score:.1f}"),
        ]

    return [(name, now, before) for (name, now), (_, before) in zip(measure(report), measure(compared), strict=True)]


def _add_up_period(label: str, found: Sequence[ConversationMeasures]) -> Period:
    counts = Counter(each.quality for each in found)
    return Period(
        label=label,
        total=len(found),
        interactive=sum(each.is_interactive for each in found),
        qualities={quality: counts[quality] for quality in Quality},
        score=sum(each.score for each in found),
    )


def explain_no_sessions(
    places: list[tuple[str, str]],
    others: int,
    failed: list[tuple[str, str]],
    *,
    all_projects: bool,
    is_period: bool,
) -> str:
    """Return a sentence that says why there is nothing to report on, and what to do."""
    if not places:
        return (
            "no folder with sessions of an agent was found, so nothing was written; name one: limpet friction <folder>"
        )
    where = ", ".join(dict.fromkeys(place for _, place in places))
    whose = "" if all_projects else " of this project"
    period = " in that period" if is_period else ""
    parts = [f"no recorded session{whose}{period} was found in {where}; nothing was written"]
    if others and not all_projects:
        parts.append(f"{others} of other projects were left out, --all-projects looks at all of them")
    if failed:
        path, problem = failed[0]
        parts.append(f"{len(failed)} file{'s' if len(failed) > 1 else ''} could not be read, such as {path}: {problem}")
    return "; ".join(parts)
