"""Order the best matches of a question by weights that were fitted to questions whose answers are known.

Words are the better guide for one question, and meaning for another. So the weight of each measure of a match depends
on the question: it is the exponential of a weighted sum of the question's traits. It is always positive, so more of a
measure never counts against a memory. Three marks of a memory have fixed weights, and these may: a long memory falls,
and where none covers much of the question, one that holds a single word of it falls below one that holds no word.

The weights are in `ranking.table`, which `scripts/fit_ranking.py` writes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from operator import mul

from limpet.lean.record import record
from limpet.recall.coverage import ASKING, Coverage
from limpet.recall.pool import Pool
from limpet.store.protocol import Reading
from limpet.text.embedding import load_embedding_table
from limpet.text.tables import read_table

TABLE = "recall/ranking.table"
MEASURES = ("cosine", "rest", "coverage", "context", "rarity", "place by meaning", "place by words")
TRAITS = ("covered", "terms", "nearest", "lead", "agreement", "held")
MARKS = ("length", "holds no word", "holds one word")
_SCARCE = 0.6
"""If no memory covers at least this share of a question, the marks for holding no word and one word count."""
_STEEPNESS = 0.3
"""How fast the match decreases with the distance to the best match."""


@record
class Asked:
    """The traits of a question, on which the weights of the measures depend."""

    covered: float
    """The largest share of the question that one of the best memories by words covers."""
    terms: int
    nearest: float
    """The cosine of the nearest memory."""
    lead: float
    """How much nearer the nearest memory is than the next."""
    agreement: float
    """The cosine of the best memory by words, as a share of the nearest."""
    held: int
    """The most terms that one memory holds."""

    @property
    def traits(self) -> tuple[float, ...]:
        """Return the traits as numbers, in the order of TRAITS."""
        return self.covered, math.log1p(self.terms), self.nearest, self.lead, self.agreement, min(self.held, 6)


@record
class Candidate:
    """The measures and the marks of one memory that was found."""

    cosine: float
    rest: float
    """The cosine to the part of the question of which the memory holds no word."""
    coverage: float
    context: float
    """What its neighbours add, as a share of the best match."""
    rarity: float
    """The weight of the rarest term that it holds, as a share of the weightiest term of the question."""
    by_meaning: int
    """The number of memories that are nearer in meaning."""
    by_words: int
    """The number of memories that are ranked higher by words."""
    held: int
    """The number of terms of the question that it holds."""
    tokens: int
    asks: bool

    @property
    def measures(self) -> tuple[float, ...]:
        """Return the measures, in the order of MEASURES."""
        places = 1 / (1 + self.by_meaning), 1 / (1 + self.by_words)
        found = self.cosine, self.rest, self.coverage, self.context, self.rarity, *places
        return tuple(ASKING * each for each in found) if self.asks else found

    def list_marks(self, asked: Asked) -> tuple[float, ...]:
        """Return the marks, in the order of MARKS."""
        scarce = max(0.0, 1 - asked.covered / _SCARCE)
        return math.log1p(self.tokens), scarce * (self.held == 0), scarce * (self.held == 1)


def rank_matches(
    shares: Mapping[int, float], pool: Pool, question: str, covered: Coverage, reading: Reading
) -> dict[int, float]:
    """Return the match of each memory, from 0 to 1; `shares` says how much of the question each covers."""
    return weigh_candidates(*measure_candidates(shares, pool, question, covered, reading))


def measure_candidates(
    shares: Mapping[int, float], pool: Pool, question: str, covered: Coverage, reading: Reading
) -> tuple[Asked, dict[int, Candidate]]:
    """Return what the order depends on: the traits of the question, and what was measured of each memory, by its key.

    The memories are those of `shares`, the share of the question that each of them covers.
    """
    held, rarity = covered.list_held(shares), covered.weigh_rarest(shares)
    rest = _compare_rest(held, pool.near, question, covered, reading)
    by_meaning = {key: place for place, key in enumerate(sorted(pool.near, key=lambda key: -pool.near[key]))}
    by_words = {key: place for place, key in enumerate(pool.ranks)}
    nearest = [pool.near[key] for key in islice(by_meaning, 2)]
    best = max(pool.own.values()) or 1.0
    first_by_words = pool.near.get(next(iter(by_words), -1), 0.0)
    asked = Asked(
        covered=pool.best_coverage,
        terms=covered.terms,
        nearest=nearest[0],
        lead=nearest[0] - nearest[-1],
        agreement=max(0.0, first_by_words) / nearest[0] if nearest[0] > 0 else 0.0,
        held=max(map(len, held.values()), default=0),
    )
    candidates = {
        key: Candidate(
            cosine=pool.near[key],
            rest=rest.get(key, 0.0),
            coverage=share,
            context=(pool.scores[key] - pool.own[key]) / best,
            rarity=rarity[key],
            by_meaning=by_meaning[key],
            by_words=by_words.get(key, len(by_words)),
            held=len(held[key]),
            tokens=pool.places[key].tokens,
            asks=key in pool.asking,
        )
        for key, share in shares.items()
    }
    return asked, candidates


def _compare_rest(
    held: Mapping[int, Sequence[str]], near: Mapping[int, float], question: str, covered: Coverage, reading: Reading
) -> dict[int, float]:
    """Return the cosine of each memory to the words of the question that it does not hold."""
    alike: dict[Sequence[str], list[int]] = defaultdict(list)
    for key, words in held.items():
        alike[words].append(key)
    found: dict[int, float] = {key: near[key] for key in alike.pop((), ())}
    table = load_embedding_table()
    for words, keys in alike.items():
        code = table.encode(question, partial(covered.weigh_words, without=words))
        if code:
            found |= reading.closeness(code, keys)
    return found


def weigh_candidates(asked: Asked, candidates: Mapping[int, Candidate]) -> dict[int, float]:
    """Return the match of each candidate: 1 for the best, less for the others."""
    exponents, fixed = _read_weights()
    traits = asked.traits
    weights = [math.exp(base + sum(map(mul, slopes, traits))) for base, slopes in exponents]
    sums = {
        key: sum(map(mul, weights, each.measures)) + sum(map(mul, fixed, each.list_marks(asked)))
        for key, each in candidates.items()
    }
    best = max(sums.values(), default=0.0)
    return {key: math.exp(_STEEPNESS * (value - best)) for key, value in sums.items()}


@lru_cache(maxsize=1)
def _read_weights() -> tuple[list[tuple[float, list[float]]], list[float]]:
    """Return the exponent of each measure, as a number and one factor per trait, and the weights of the marks."""
    rows = {row.name: row for row in read_table(TABLE)}
    slopes = {name: dict(line.rsplit(" ", 1) for line in rows[name].contents.splitlines()) for name in MEASURES}
    exponents = [(rows[name].weight, [float(slopes[name][trait]) for trait in TRAITS]) for name in MEASURES]
    return exponents, [rows[name].weight for name in MARKS]
