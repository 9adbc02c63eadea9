"""Test the pattern of an antigen on recorded calls: it must match every incident, and no call that the user accepted.

An incident is a call to which the user objected. Only calls after the first incident are tested, because before it the
user may have had no rule against such calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.insight.friction.calls import Call, CallVerdict
from limpet.lean.record import record, replace
from limpet.model.antigen import Incident
from limpet.model.call_pattern import CallPattern, PatternKind, follows
from limpet.text.commands import split_commands

_MOST_WORDS = 3
"""The maximum number of words that are tried to make a pattern narrower."""


@record
class ReplayResult:
    """The result of testing a pattern on recorded calls."""

    pattern: CallPattern
    calls: int
    """The number of calls from the first incident on."""
    hit: int
    """The number of incidents that the pattern matches."""
    missed: tuple[Incident, ...] = ()
    """The incidents that the pattern does not match."""
    accepted: tuple[Call, ...] = ()
    """The calls that the pattern matches although the user accepted them."""

    @property
    def is_proven(self) -> bool:
        """Tell whether the pattern matches every incident and no accepted call."""
        return self.hit > 0 and not self.missed and not self.accepted


def replay_pattern(pattern: CallPattern, incidents: Sequence[Incident], calls: Iterable[Call]) -> ReplayResult:
    """Test whether a pattern matches all incidents, and no call that the user accepted after the first incident."""
    since = min((each.at for each in incidents), default=None)
    later = [call for call in calls if since is not None and call.at >= since]
    missed = tuple(each for each in incidents if not matches_incident(pattern, each))
    wrong = tuple(call for call in later if call.verdict is CallVerdict.ACCEPTED and call.is_matched_by(pattern))
    return ReplayResult(
        pattern=pattern, calls=len(later), hit=len(incidents) - len(missed), missed=missed, accepted=wrong
    )


def matches_incident(pattern: CallPattern, incident: Incident) -> bool:
    """Tell whether a pattern matches the call of an incident."""
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
    """Return the replay result of the first pattern that is proven, or that of `base` if none is.

    `base` is tried first. A `base` that matches commands is then made narrower, either with one of the texts in
    `named`, which the user mentioned, or with a word that occurs in the calls of all incidents.
    """
    found = replay_pattern(base, incidents, calls)
    if found.is_proven or base.kind is not PatternKind.COMMAND:
        return found
    narrower = [replace(base, text=text) for text in sorted(set(named))]
    narrower += [replace(base, words=(*base.words, word)) for word in _find_common_words(base, incidents)]
    tried = (replay_pattern(pattern, incidents, calls) for pattern in narrower)
    return next((each for each in tried if each.is_proven), found)


def _find_common_words(base: CallPattern, incidents: Sequence[Incident]) -> list[str]:
    """Return options and arguments that occur in the calls of all incidents but not in `base`, options first.

    At most `_MOST_WORDS` are returned.
    """
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
    # Options are tried first, because an option tells more about what is wrong than an argument does.
    return sorted(common or (), key=lambda word: not word.startswith("-"))[:_MOST_WORDS]
