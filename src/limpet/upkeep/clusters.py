"""Find groups of similar texts without comparing every pair.

If two sets share at least t of their union, their k rarest common words are among the rarest words of either: for a set
of n words it is enough to examine its n - ceil(t n) + k rarest words. Only sets that share k of these are compared, so
no pair is missed and ten thousand texts stay feasible. Texts that are already in one group are not compared again.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

from limpet.text.similarity import distinct_words

_MEETINGS = 3
"""How many of its rarest words a set must share with another before the two are compared."""


def find_clusters(texts: Sequence[str], *, alike: float, least: int) -> list[list[int]]:
    """Return groups of at least `least` texts, as indexes, connected by a Jaccard similarity of at least `alike`."""
    sets = [distinct_words(text) for text in texts]
    frequency = Counter(word for each in sets for word in each)
    rarest = [sorted(each, key=lambda word: (frequency[word], word)) for each in sets]
    met = [max(1, min(_MEETINGS, _least(alike, each))) for each in sets]
    group = _Groups(len(sets))
    holders: dict[str, list[int]] = defaultdict(list)
    for one in sorted(range(len(sets)), key=lambda at: (len(sets[at]), at)):
        own, needed = sets[one], met[one]
        seen = rarest[one][: len(own) - _least(alike, own) + needed]
        counted = Counter(chain.from_iterable([holders[word] for word in seen]))
        for other in [other for other, count in counted.items() if count >= needed or count >= met[other]]:
            theirs = sets[other]
            if len(theirs) < alike * len(own) or group.of(one) == group.of(other):
                continue
            if len(own & theirs) >= alike * len(own | theirs):
                group.join(one, other)
        # A later set is at least as large, so the two must share more: fewer words have to be indexed.
        for word in rarest[one][: len(own) - _least(2 * alike / (1 + alike), own) + needed]:
            holders[word].append(one)
    found: dict[int, list[int]] = defaultdict(list)
    for at in range(len(sets)):
        found[group.of(at)].append(at)
    return [members for members in found.values() if len(members) >= least]


def _least(share: float, own: frozenset[str]) -> int:
    """Return how many words make up at least a share of a set, rounded up; a rounding error does not add one."""
    return math.ceil(share * len(own) - 1e-9)


class _Groups:
    """Disjoint sets of indexes, each named by its smallest member (union-find)."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def of(self, at: int) -> int:
        while self._above[at] != at:
            self._above[at] = self._above[self._above[at]]
            at = self._above[at]
        return at

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.of(one), self.of(other)))
        self._above[second] = first
