"""Replay a pattern over recorded calls: it must match every incident, and no call that the user accepted.

Calls count from the first objection on: what was accepted before the user had a rule says nothing against the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.insight.friction.calls import Call, CallVerdict
from limpet.lean.record import record, replace
from limpet.model.antigen import Incident
from limpet.model.call_pattern import CallPattern, PatternKind, follows
from limpet.text.commands import split_commands

_MOST_WORDS = 3
"""How many words are tried to make a pattern narrower."""


@record
class ReplayResult:
    """The incidents and the accepted calls that a pattern matches."""

    pattern: CallPattern
    calls: int
    """How many calls there are since the first objection."""
    hit: int
    """How many incidents the pattern matches."""
    missed: tuple[Incident, ...] = ()
    accepted: tuple[Call, ...] = ()
    """Calls that it matches although the user accepted them."""

    @property
    def is_proven(self) -> bool:
        """Tell whether the pattern matches every incident and no accepted call."""
        return self.hit > 0 and not self.missed and not self.accepted


def replay_pattern(pattern: CallPattern, incidents: Sequence[Incident], calls: Iterable[Call]) -> ReplayResult:
    """Return which incidents a pattern matches, and which calls that the user accepted since the first incident."""
    since = min((each.at for each in incidents), default=None)
    later = [call for call in calls if since is not None and call.at >= since]
    missed = tuple(each for each in incidents if not matches_incident(pattern, each))
    wrong = tuple(call for call in later if call.verdict is CallVerdict.ACCEPTED and call.is_matched_by(pattern))
    return ReplayResult(
        pattern=pattern, calls=len(later), hit=len(incidents) - len(missed), missed=missed, accepted=wrong
    )


def matches_incident(pattern: CallPattern, incident: Incident) -> bool:
    """Tell whether a pattern matches the call of an incident, as the journal keeps it."""
    match pattern.kind:
        case PatternKind.COMMAND:
            return pattern.matches(tool="", command=incident.call)
        case PatternKind.FILE:
            return pattern.matches(tool="", files=(incident.call,))
        case _:
            return pattern.matches(tool=incident.call)


def fit_pattern(
    base: CallPattern, incidents: Sequence[Incident], calls: Sequence[Call], named: Iterable[str]
) -> ReplayResult:
    """Return the replay of the widest pattern that is proven; otherwise the replay of the base pattern.

    A pattern is made narrower by words that all incidents have in common, and by texts that the user has named.
    """
    found = replay_pattern(base, incidents, calls)
    if found.is_proven or base.kind is not PatternKind.COMMAND:
        return found
    narrower = [replace(base, text=text) for text in sorted(set(named))]
    narrower += [replace(base, words=(*base.words, word)) for word in _find_common_words(base, incidents)]
    tried = (replay_pattern(pattern, incidents, calls) for pattern in narrower)
    return next((each for each in tried if each.is_proven), found)


def _find_common_words(base: CallPattern, incidents: Sequence[Incident]) -> list[str]:
    """Return the options and arguments that the calls of all incidents share, beyond those of the pattern."""
    common: list[str] | None = None
    for each in incidents:
        words = [
            word.partition("=")[0]
            for command in split_commands(each.call)
            if follows(command, base.words)
            for word in command[1:]
            if word not in base.words and word != "_"
        ]
        common = list(dict.fromkeys(words)) if common is None else [word for word in common if word in words]
    # An option says more about what is wrong than an argument.
    return sorted(common or (), key=lambda word: not word.startswith("-"))[:_MOST_WORDS]
