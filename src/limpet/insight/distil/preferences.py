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
from limpet.lean.record import mutable, record
from limpet.text.chatter import capitalise
from limpet.text.negation import has_denial
from limpet.text.words import split_words

REACTIONS = ("user_correction", "user_negation", "user_curse")
"""The friction signals in which the user says what is wrong."""
_COMMON = 0.5
"""The share of the shorter objection's words that two objections must have in common to ask for the same thing."""
_OBJECTION = lazy(r"(?i)^\s*+(?:(?:no|nope|wrong|stop|hey|please|ok|again|i said|i told you|and)\b[,.!:\s]*+)++")
_RULE = lazy(
    r"(?i)\b(?:don't|do not|never|always|stop|use|prefer|keep|instead|only|must|should|avoid|not|without|leave|no)\b"
)
_NAME = lazy(r"\d[\w.]*+|\b[a-z]++[A-Z_]\w*+|`[^`\n]++`")


@record
class SourcedObjection:
    """An objection of the user, with the id of its conversation."""

    id: str
    text: str
    conversation: str


@mutable
class PreferenceEvidence:
    """The ids of the conversations for a preference, and of those against it."""

    text: str
    speaking_for: set[str]
    speaking_against: set[str]


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
    for objection in objections:
        line = (rules or {}).get(objection.id) or find_rule(objection.text)
        if line is None:
            continue
        for each in found:
            if overrides(line, each.text):
                each.speaking_against.add(objection.conversation)
                each.speaking_for.discard(objection.conversation)
        same = next((each for each in found if say_same(line, each.text)), None)
        if same is None:
            found.append(PreferenceEvidence(text=line, speaking_for={objection.conversation}, speaking_against=set()))
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
