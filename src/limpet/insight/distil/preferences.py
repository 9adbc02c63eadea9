"""Find preferences of the user in the objections that `limpet friction` has found.

Only the words of the user count; signals that were inferred, such as errors and loops, give no preference. Objections
in several conversations that ask for the same thing give one preference, with the number of these conversations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from limpet.insight.distil.document import Preference
from limpet.insight.distil.lines import comparison_key, find_detail_reason, find_passing_reason, fit_line
from limpet.insight.distil.merge import Sides, overrides
from limpet.lean.pattern import lazy
from limpet.lean.record import field, mutable, record
from limpet.text.chatter import capitalise
from limpet.text.negation import has_denial
from limpet.text.words import split_words, word_set

REACTIONS = ("user_correction", "user_negation", "user_curse")
"""The friction signals in which the user says what is wrong."""
_COMMON = 0.5
"""The share of the shorter objection's words that two objections must have in common to ask for the same thing."""
_OBJECTION = lazy(
    r"(?i)^\s*+(?:(?:no|nope|wrong|stop(?!\s++\w+ing\b)|hey|please|ok|again|i said|i told you|and)\b[,.!:\s]*+)++"
)
_RULE = lazy(
    r"(?i)\b(?:don't|do not|never|always|stop|use|prefer|keep|instead|only|must|should|avoid|not|without|leave|no)\b"
)
_DENIES = word_set("stop dont avoid instead")
"""The words that deny something in an objection, besides those that deny in any text."""
_PLAIN = word_set("don't dont do not never no stop avoid instead please use using run running")
"""The words of an objection that say neither what it is about nor how that is to be done."""
_NAME = lazy(r"\d[\w.]*+|\b[a-z]++[A-Z_]\w*+|`[^`\n]++`")


@record
class SourcedObjection:
    """An objection of the user, with the id of its conversation."""

    id: str
    text: str
    conversation: str
    call: str = ""
    """The calls that the objection is about, as `limpet antigens` describes them; an empty string if unknown."""


@mutable
class PreferenceEvidence:
    """The ids of the conversations for a preference, and of those against it."""

    text: str
    speaking_for: set[str]
    speaking_against: set[str]
    calls: set[str] = field(default_factory=set)
    """The calls that the objections for the preference are about."""

    def answers(self, line: str, objection: SourcedObjection) -> bool:
        """Tell whether an objection, as the rule `line`, asks for the preference."""
        return say_same(line, self.text) or (objection.call in self.calls and _deny_same(line, self.text))


def find_rule(objection: str) -> str | None:
    """Return the rule that an objection states, as a line that is understandable on its own, or None."""
    bare = _OBJECTION.sub("", objection)
    line = fit_line(capitalise(bare)) if bare else None
    if line is None or not _RULE.search(line) or find_detail_reason(line) or find_passing_reason(line):
        return None
    return line


def collect_evidence(
    objections: Iterable[SourcedObjection],
    known: Sequence[Preference],
    earlier: Mapping[str, Sides],
    rules: Mapping[str, str] | None = None,
) -> dict[str, Sides]:
    """Return the conversations for and against each preference, by its text.

    `known` are the preferences in MEMORY.md. `earlier` are the conversations that earlier runs have found; the result
    includes them. `rules` are the preferences in a model's words, by the ids of the objections. Preferences without
    conversations are left out.
    """
    found = [
        PreferenceEvidence(text=each.text, speaking_for=set(first), speaking_against=set(second))
        for each in known
        for first, second in [earlier.get(each.text, (frozenset(), frozenset()))]
    ]
    lines = [(objection, (rules or {}).get(objection.id) or find_rule(objection.text)) for objection in objections]
    stated = [(objection, line) for objection, line in lines if line is not None]
    for each in found:
        each.calls.update(objection.call for objection, line in stated if objection.call and say_same(line, each.text))
    for objection, line in stated:
        for each in found:
            if overrides(line, each.text) and not each.answers(line, objection):
                each.speaking_against.add(objection.conversation)
                each.speaking_for.discard(objection.conversation)
        same = next((each for each in found if each.answers(line, objection)), None)
        if same is None:
            same = PreferenceEvidence(text=line, speaking_for={objection.conversation}, speaking_against=set())
            same.calls.update(filter(None, [objection.call]))
            found.append(same)
        elif objection.conversation not in same.speaking_against:
            same.speaking_for.add(objection.conversation)
    return {
        each.text: (frozenset(each.speaking_for), frozenset(each.speaking_against))
        for each in found
        if each.speaking_for or each.speaking_against
    }


def say_same(first: str, second: str) -> bool:
    """Tell whether two rules ask for the same thing.

    They must have enough common words and a common pair of words, the same numbers and names, and a negation in both or
    in neither.
    """
    words, others = comparison_key(first), comparison_key(second)
    if words == others:
        return True
    if has_denial(split_words(first)) != has_denial(split_words(second)):
        return False
    if set(_NAME.findall(first)) != set(_NAME.findall(second)):
        return False
    common = set(words) & set(others)
    shared = set(pairwise(words)) & set(pairwise(others))
    return bool(shared) and len(common) >= _COMMON * min(len(set(words)), len(set(others)))


def _deny_same(first: str, second: str) -> bool:
    """Tell whether two rules about the same calls both deny something, and one says no more than the other."""
    words, others = split_words(first), split_words(second)
    if not (has_denial(words, _DENIES) and has_denial(others, _DENIES)):
        return False
    said, other = set(comparison_key(first)) - _PLAIN, set(comparison_key(second)) - _PLAIN
    return bool(said & other) and (said <= other or other <= said)
