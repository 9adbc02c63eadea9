"""Measure how much of a question each memory covers, and choose the words by which memories are ranked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from operator import mul

from limpet.model.memory import Memory
from limpet.model.query import Query, Stored
from limpet.store.protocol import Reading
from limpet.text.lexicon import Term, match_terms
from limpet.text.rarity import weigh_terms

ASKING = 0.5
"""The factor for a memory that only asks: it shares many words with a question but answers nothing."""
_MEASURED = 20_000
"""The number of characters of a memory that are compared with the question, so that a prompt need not wait long."""
_COMMON = 1000
"""A word is common if this many memories hold it."""
_FINENESS = 16
_LEAST_SHARE = 0.3
"""What the most common word counts in the vector of a question, where the rarest counts 1."""
_QUESTION_MARKS = "?？吗か"
"""Every end of a question that `text/questions.py` knows holds one of these."""
_END = 20
_CROWDED = 500
"""In a store of more memories than this, words must be rarer to tell that a memory belongs to a prompt."""
_RANKED_UNASKED = 1000
"""About how many memories are ranked by their words while a prompt waits."""


class Coverage:
    """The memories that are examined, and the share of the question's weight that each covers.

    The fewer memories hold a term, the more it weighs. A term that no memory holds weighs most, and none covers it.
    """

    def __init__(self, query: Query, asked: Sequence[Term], reading: Reading) -> None:
        self.memories: dict[int, Stored] = {}
        self.terms = len(asked)
        self._query, self._asked, self._reading = query, asked, reading
        self._held: dict[int, list[float]] = {}
        self._everything, counts = reading.frequencies(query, asked)
        self.ranking_terms = choose_rare(asked, counts, at_most=math.inf if query.weak else _RANKED_UNASKED) or asked
        everything = self._everything
        self._weights = [math.log(1 + (everything - min(count, everything) + 0.5) / (count + 0.5)) for count in counts]
        self._whole = sum(self._weights)
        most = max(self._weights, default=1.0)
        self._shares = {term.text: weight / most for term, weight in zip(asked, self._weights, strict=True)}

    def weigh_words(self, words: Sequence[str], *, without: Collection[str] = ()) -> list[int]:
        """Return the weight of each word of the question in its vector: rare words count most, common words least.

        Words of `without` do not count.
        """
        shares = self._shares
        return [
            0 if word in without else round(_FINENESS * (_LEAST_SHARE + (1 - _LEAST_SHARE) * shares.get(word, 0.0)))
            for word in words
        ]

    def fetch(self, keys: Sequence[int]) -> list[int]:
        """Read the memories that the query may see, and return their keys."""
        missing = tuple(key for key in keys if key not in self.memories)
        if missing:
            self.memories |= self._reading.by_keys(self._query, missing)
        return [key for key in keys if key in self.memories]

    def measure(self, keys: Sequence[int]) -> dict[int, float]:
        """Return the share of the question's weight that each of the memories covers."""
        whole = self._whole
        return {key: sum(map(mul, self._weights, self._find_held(key))) / whole if whole else 0.0 for key in keys}

    def measure_shared(self, keys: Iterable[int]) -> dict[int, tuple[float, float]]:
        """Return the share of the question's weight that each memory covers, and the weight of the words they share.

        In a small store every word is rare, so these weights count how rare a word is everywhere. The share also counts
        how rare it is in the store. So a stray common word covers little, however short the question is. In a large
        store, some memory shares any few words with a prompt, so the same words weigh less there.
        """
        everywhere = weigh_terms(self._asked)
        weights = [weight * share for weight, share in zip(everywhere, self._shares.values(), strict=True)]
        whole = sum(weights) or 1.0
        crowd = max(1.0, math.log(max(1, self._everything), _CROWDED))
        held = {key: self._find_held(key) for key in keys}
        return {
            key: (sum(map(mul, weights, found)) / whole, sum(map(mul, everywhere, found)) / crowd)
            for key, found in held.items()
        }

    def list_held(self, keys: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Return the terms of the question that each of the memories holds."""
        return {key: tuple(compress(self._shares, self._find_held(key))) for key in keys}

    def weigh_rarest(self, keys: Iterable[int]) -> dict[int, float]:
        """Return the weight of the rarest term that each memory holds, as a share of the weightiest term."""
        return {key: max(compress(self._shares.values(), self._find_held(key)), default=0.0) for key in keys}

    def find_questions(self, keys: Sequence[int]) -> set[int]:
        """Return the keys of the memories that consist of questions only."""
        texts = {key: self.memories[key].memory.original_content for key in keys}
        ends = {key: text[-_END:] for key, text in texts.items()}
        maybe = [key for key, end in ends.items() if any(mark in end for mark in _QUESTION_MARKS)]
        if not maybe:
            return set()
        # Loaded here: few memories end with a question, and a prompt need not wait for it otherwise.
        from limpet.text.questions import only_asks

        return {key for key in maybe if only_asks(texts[key][:_MEASURED])}

    def _find_held(self, key: int) -> list[float]:
        """Return how much of each term of the question a memory holds, from 0 to 1."""
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = hold_terms(self._asked, self.memories[key].memory)
        return held


def hold_terms(terms: Sequence[Term], memory: Memory) -> list[float]:
    """Return how much of each term a memory holds, from 0 to 1."""
    files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
    content = memory.original_content[:_MEASURED]
    return match_terms(terms, "\n".join((memory.title, memory.subtitle, content, *memory.tags, memory.cues, *files)))


def choose_rare(asked: Sequence[Term], counts: Sequence[int], *, at_most: float) -> list[Term]:
    """Return the rarest terms, as many as together find about `at_most` memories; none if fewer than two are rare.

    Ranking all memories that hold a common word is slow and says little; rarer words find the same memories.
    """
    found = 0
    chosen: list[Term] = []
    for count, number in sorted((count, number) for number, count in enumerate(counts)):
        found += count
        if count >= _COMMON or (found > at_most and len(chosen) > 1):
            break
        if count:
            chosen.append(asked[number])
    return chosen if len(chosen) > 1 else []
