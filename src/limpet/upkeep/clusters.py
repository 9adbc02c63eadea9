"""Finds texts that are alike without comparing each with each.

Two sets of which each holds at least a share t of their union have their k rarest common words among the rarest of
either: of a set with n words it is enough to look at its n - ceil(t n) + k rarest. Only sets that meet there in k words
are compared, so nothing is missed and ten thousand texts stay feasible; what is connected is not compared again.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

from limpet.text.similarity import vocabulary

_MEETINGS = 3
"""In how many of its rarest words a set has to be met before it is compared."""


def clusters(texts: Sequence[str], *, alike: float, least: int) -> list[list[int]]:
    """Groups of texts, as their places: connected by steps of at least `alike` (Jaccard), each of at least `least`."""
    sets = [vocabulary(text) for text in texts]
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
        # Whoever comes later is at least as large, so the two must have more in common: fewer words need be noted.
        for word in rarest[one][: len(own) - _least(2 * alike / (1 + alike), own) + needed]:
            holders[word].append(one)
    found: dict[int, list[int]] = defaultdict(list)
    for at in range(len(sets)):
        found[group.of(at)].append(at)
    return [members for members in found.values() if len(members) >= least]


def _least(share: float, own: frozenset[str]) -> int:
    """So many words at least; what is a whole number but for rounding must not become the next one."""
    return math.ceil(share * len(own) - 1e-9)


class _Groups:
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
