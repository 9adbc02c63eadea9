"""Merge what was extracted into what MEMORY.md says already: no duplicate, no contradiction, nothing else lost.

Two lines that differ in one value may both be true, so both stay. A line is replaced only by one that denies it or says
that it takes its place, and never by a line from a less trusted source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from limpet.insight.distil.document import Certainty, Preference, SessionEpisode
from limpet.insight.distil.lines import comparison_key
from limpet.lean.record import field, mutable, record
from limpet.model.memory import Origin
from limpet.text.assertions import read_assertions
from limpet.text.contradiction import find_denial
from limpet.text.replacement import LATER_VALUE, find_search_words, replaces
from limpet.text.similarity import overlap
from limpet.text.words import split_words, word_set

_NEAREST = 20
"""With how many facts a new one is compared."""
_SAME_SUBJECT = 0.15
"""The share of common words from which two facts are compared at all."""
Sides = tuple[frozenset[str], frozenset[str]]
"""The conversations for a preference, and those against it."""
_CHANGED = word_set(
    "now longer anymore instead changed switched moved migrated replaced updated raised lowered renamed"
)


@record
class FactLine:
    """One line of facts, where it comes from and how far that is trusted."""

    text: str
    origin: Origin = Origin.FILE
    source: str = ""
    """The name of a stash, or the id of a memory; empty if only MEMORY.md has the line."""


@mutable
class MergedFacts:
    """The facts to add and to remove, and those that were refused with the older fact that they contradict."""

    added: list[FactLine] = field(default_factory=list)
    removed: list[FactLine] = field(default_factory=list)
    refused: list[tuple[FactLine, FactLine]] = field(default_factory=list)


def overrides(newer: str, older: str) -> bool:
    """Tell whether a newer line says that an older one no longer holds.

    It denies the older line, or says what it replaces. Another value alone is not enough, unless the newer line says
    that something has changed.
    """
    how = replaces(newer, older)
    if how == LATER_VALUE:
        return not _CHANGED.isdisjoint(split_words(newer))
    return how is not None or any(
        find_denial(new, old) for new in read_assertions(newer) for old in read_assertions(older)
    )


def merge_facts(known: Sequence[FactLine], new: Iterable[FactLine]) -> MergedFacts:
    """Return what changes when facts, the oldest first, are added to those that are known."""
    merged = MergedFacts()
    current = {comparison_key(fact.text): fact for fact in known}
    places = _FactIndex(current)
    for fact in new:
        key = comparison_key(fact.text)
        if key in current:
            continue
        near = [(place, current[place]) for place in places.find_near(fact.text) if place in current]
        replaced = [(place, older) for place, older in near if overrides(fact.text, older.text)]
        stronger = next((older for _, older in replaced if older.origin.ceiling > fact.origin.ceiling), None)
        if stronger is not None:
            merged.refused.append((fact, stronger))
            continue
        for place, older in replaced:
            del current[place]
            if older in merged.added:
                merged.added.remove(older)
            else:
                merged.removed.append(older)
        current[key] = fact
        places.add(key)
        merged.added.append(fact)
    return merged


class _FactIndex:
    """The keys of facts by their words, so that a new fact is compared with few others."""

    def __init__(self, keys: Iterable[tuple[str, ...]]) -> None:
        self._by_word: dict[str, list[tuple[str, ...]]] = {}
        for key in keys:
            self.add(key)

    def add(self, key: tuple[str, ...]) -> None:
        for word in set(key):
            self._by_word.setdefault(word, []).append(key)

    def find_near(self, text: str) -> list[tuple[str, ...]]:
        """Return the keys that have most words in common with a text, or a word that the text replaces."""
        words = set(comparison_key(text))
        common = Counter(key for word in words for key in self._by_word.get(word, ()))
        near = (key for key, _ in common.most_common(_NEAREST) if overlap(words, set(key)) >= _SAME_SUBJECT)
        rivals = (key for word in find_search_words(text) for key in self._by_word.get(word, ())[-_NEAREST:])
        return list(dict.fromkeys((*near, *rivals)))


def merge_episodes(known: Iterable[SessionEpisode], new: Iterable[SessionEpisode]) -> list[SessionEpisode]:
    """Return the episodes that are not known yet; an episode is never changed afterwards."""
    found = list(known)
    added = []
    for each in new:
        if each not in found:
            found.append(each)
            added.append(each)
    return added


def merge_preferences(
    known: Iterable[Preference], evidence: Mapping[str, Sides], earlier: Mapping[str, Sides]
) -> list[Preference]:
    """Return the preferences with their counts, the surest first.

    `evidence` names for each text the conversations for and against it, and `earlier` the conversations that earlier
    runs have counted: only new conversations change a known count. A preference that has as much against it as for it
    is dropped.
    """
    counts = {each.text: each.count for each in known}
    for text, sides in evidence.items():
        counted = earlier.get(text, (frozenset[str](), frozenset[str]()))
        counts[text] = counts.get(text, 0) + _weigh(sides) - _weigh(counted)
    found = [Preference(text=text, count=count) for text, count in counts.items() if count > 0]
    order = tuple(Certainty)
    return sorted(found, key=lambda each: (order.index(each.certainty), -each.count, each.text))


def _weigh(sides: Sides) -> int:
    speaking_for, speaking_against = sides
    return len(speaking_for) - len(speaking_against)
