"""Find groups of similar texts without comparing every pair.

Two texts are similar if the Jaccard similarity of their word sets (the size of the intersection divided by the size of
the union) is at least t. Then their k rarest common words are among the n - ceil(t n) + k rarest words of each set of n
words. So only texts that share k of these words are compared. No similar pair is missed, and even ten thousand texts
can be compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

from limpet.text.similarity import distinct_words

_MOST_SHARED = 3
"""The number of rare words that two sets must share to be compared, called k above. It is lower for small sets."""


def find_clusters(texts: Sequence[str], *, alike: float, least: int) -> list[list[int]]:
    """Return groups of at least `least` similar texts, each as a list of indexes into `texts`.

    Two texts belong to the same group if their Jaccard similarity is at least `alike`, or if a chain of such pairs
    links them.
    """
    sets = [distinct_words(text) for text in texts]
    frequency = Counter(word for each in sets for word in each)
    rarest = [sorted(each, key=lambda word: (frequency[word], word)) for each in sets]
    met = [max(1, min(_MOST_SHARED, _count_least(alike, each))) for each in sets]
    group = _Groups(len(sets))
    holders: dict[str, list[int]] = defaultdict(list)
    for one in sorted(range(len(sets)), key=lambda at: (len(sets[at]), at)):
        own, needed = sets[one], met[one]
        seen = rarest[one][: len(own) - _count_least(alike, own) + needed]
        counted = Counter(chain.from_iterable([holders[word] for word in seen]))
        for other in [other for other, count in counted.items() if count >= needed or count >= met[other]]:
            theirs = sets[other]
            if len(theirs) < alike * len(own) or group.find(one) == group.find(other):
                continue
            if len(own & theirs) >= alike * len(own | theirs):
                group.join(one, other)
        # Later sets are at least as large, so similar ones share more words, and fewer words have to be indexed.
        for word in rarest[one][: len(own) - _count_least(2 * alike / (1 + alike), own) + needed]:
            holders[word].append(one)
    found: dict[int, list[int]] = defaultdict(list)
    for at in range(len(sets)):
        found[group.find(at)].append(at)
    return [members for members in found.values() if len(members) >= least]


def _count_least(share: float, own: frozenset[str]) -> int:
    """Return the number of words that make up `share` of a set, rounded up."""
    # A rounding error must not add one.
    return math.ceil(share * len(own) - 1e-9)


class _Groups:
    """Disjoint sets of indexes (union-find). A set is identified by its smallest member."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find(self, at: int) -> int:
        """Return the smallest member of the set that contains an index."""
        while self._above[at] != at:
            self._above[at] = self._above[self._above[at]]
            at = self._above[at]
        return at

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._above[second] = first
