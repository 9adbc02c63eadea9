"""Tell how rare a word is in what people and agents write, whatever the project.

A small store cannot tell: in it, every word is rare. So a stray common word would seem to say what a prompt is about.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from limpet.text.lexicon import Term
from limpet.text.tables import read_table

TABLE = "text/rarity.table"
RAREST = 5.0
"""The weight of a word that the table does not hold. It is less than what a match needs, so one word is no match."""
_FOREIGN = 2.5
"""The same for a word with letters outside ASCII: many are common words of languages that the table hardly knows."""
_NAME = 2.0
"""What a path or an identifier weighs more than its rarest word, so that one rare name is enough for a match."""


def weigh_terms(terms: Iterable[Term]) -> list[float]:
    """Return the weight of each term: the more people and messages use it, the less it weighs."""
    return [_weigh(term) for term in terms]


def _weigh(term: Term) -> float:
    if term.parts:
        return sum(map(weigh_stem, term.parts))
    weight = max(map(weigh_stem, term.stems), default=0.0)
    is_name = not term.text.isalpha() or any(not way.endswith("*") for way in term.ways[1:])
    return weight + _NAME if is_name else weight


def weigh_stem(stem: str) -> float:
    """Return the weight of a word as the full-text index holds it."""
    return _load_weights().get(stem, RAREST if stem.isascii() and len(stem) > 1 else _FOREIGN)


@lru_cache(maxsize=1)
def _load_weights() -> dict[str, float]:
    return {stem: row.weight for row in read_table(TABLE) for stem in row.contents.split()}
