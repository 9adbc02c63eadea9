"""Merge extracted facts, episodes and preferences with those in MEMORY.md, without duplicates and contradictions.

A line is removed if a newer one replaces or contradicts it, judged as for memories (`doors.similar`), and if the newer
one's source is trusted at least as much. Its memory stays, linked to the newer one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from limpet.insight.distil.document import Certainty, Preference, SessionEpisode
from limpet.insight.distil.lines import comparison_key
from limpet.lean.record import field, mutable, record
from limpet.model.memory import Origin
from limpet.text.replacement import contradicts, find_search_words, replaces
from limpet.text.similarity import overlap

_NEAREST = 20
"""The maximum number of similar facts with which a new one is compared."""
_SAME_SUBJECT = 0.15
"""The minimum share of words that two facts must have in common to be compared."""
Sides = tuple[frozenset[str], frozenset[str]]
"""The conversations for a preference, and those against it."""


@record
class FactLine:
    """A fact as a line of MEMORY.md, with the source that it comes from."""

    text: str
    origin: Origin = Origin.FILE
    """The origin of the source, which determines how far the line is trusted."""
    source: str = ""
    """The name of a stash or the id of a memory; an empty string if only MEMORY.md contains the line."""


@mutable
class MergedFacts:
    """The changes that a merge makes to the facts of MEMORY.md."""

    added: list[FactLine] = field(default_factory=list)
    removed: list[FactLine] = field(default_factory=list)
    refused: list[tuple[FactLine, FactLine]] = field(default_factory=list)
    """The new facts that were refused, each with the more trusted older fact that it contradicts."""


def overrides(newer: str, older: str) -> bool:
    """Tell whether a newer line replaces or contradicts an older one."""
    return replaces(newer, older) is not None or contradicts(newer, older) is not None


def merge_facts(known: Sequence[FactLine], new: Iterable[FactLine]) -> MergedFacts:
    """Merge the facts in `new`, which are sorted oldest first, with those in MEMORY.md, and return the changes."""
    merged = MergedFacts()
    current = {comparison_key(fact.text): fact for fact in known}
    index = _FactIndex(current)
    for fact in new:
        key = comparison_key(fact.text)
        if key in current:
            continue
        near = [(each, current[each]) for each in index.find_near(fact.text) if each in current]
        replaced = [(each, older) for each, older in near if overrides(fact.text, older.text)]
        stronger = next((older for _, older in replaced if older.origin.ceiling > fact.origin.ceiling), None)
        if stronger is not None:
            merged.refused.append((fact, stronger))
            continue
        for old_key, older in replaced:
            del current[old_key]
            if older in merged.added:
                merged.added.remove(older)
            else:
                merged.removed.append(older)
        current[key] = fact
        index.add(key)
        merged.added.append(fact)
    return merged


class _FactIndex:
    """An index from words to the comparison keys of facts, so that each new fact is compared with only a few others."""

    def __init__(self, keys: Iterable[tuple[str, ...]]) -> None:
        self._by_word: dict[str, list[tuple[str, ...]]] = {}
        for key in keys:
            self.add(key)

    def add(self, key: tuple[str, ...]) -> None:
        for word in set(key):
            self._by_word.setdefault(word, []).append(key)

    def find_near(self, text: str) -> list[tuple[str, ...]]:
        """Return the keys that have the most words in common with a text, or that name what the text replaces."""
        words = set(comparison_key(text))
        common = Counter(key for word in words for key in self._by_word.get(word, ()))
        near = (key for key, _ in common.most_common(_NEAREST) if overlap(words, set(key)) >= _SAME_SUBJECT)
        rivals = (key for word in find_search_words(text) for key in self._by_word.get(word, ())[-_NEAREST:])
        return list(dict.fromkeys((*near, *rivals)))


def merge_episodes(known: Iterable[SessionEpisode], new: Iterable[SessionEpisode]) -> list[SessionEpisode]:
    """Return the new episodes that are neither in `known` nor duplicates of each other."""
    found = list(known)
    added = []
    for each in new:
        if each not in found:
            found.append(each)
            added.append(each)
    return added


def merge_preferences(known: Iterable[Preference], evidence: Mapping[str, Sides]) -> list[Preference]:
    """Return the preferences with updated counts, most certain first.

    `evidence` contains all conversations for and against each preference, by its text. The count is computed from them
    alone, whatever a file says; a preference without evidence stays as it is. Preferences whose count falls to zero or
    below are dropped.
    """
    counts = {each.text: each.count for each in known}
    counts |= {text: len(speaking_for) - len(against) for text, (speaking_for, against) in evidence.items()}
    found = [Preference(text=text, count=count) for text, count in counts.items() if count > 0]
    order = tuple(Certainty)
    return sorted(found, key=lambda each: (order.index(each.certainty), -each.count, each.text))
