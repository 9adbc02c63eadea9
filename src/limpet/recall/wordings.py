"""Search several wordings of one question, and put what they find in one order.

The model that asks knows other words for what it looks for: the project's own terms, the symptom, the name of the
technique. A memory that several wordings find is more likely to be the answer than one that a single wording finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.lean.record import replace
from limpet.model.query import Hit, Page, Query

MOST_WORDINGS = 4
"""The maximum number of wordings besides the question."""
_DEPTH = 20
_AGREEMENT = 0.5
"""How much the mean over all wordings counts, beside the best of them."""


def search_wordings(query: Query, also: Sequence[str], *, search: Callable[[Query], Page[Hit]]) -> Page[Hit]:
    """Return what a question or another wording of it finds, best first.

    The score of a memory is made of its best score and its mean score over all wordings. It is weak if it is weak for
    each wording.
    """
    wordings = list(dict.fromkeys(each.strip() for each in (query.text, *also) if each.strip()))
    depth = max(_DEPTH, query.offset + query.limit)
    pages = [search(replace(query, text=each, limit=depth, offset=0)) for each in wordings]
    found: dict[str, list[Hit]] = {}
    for page in pages:
        for hit in page.items:
            found.setdefault(hit.memory.id, []).append(hit)
    hits = [_combine(each, len(pages)) for each in found.values()]
    hits.sort(key=lambda hit: (-hit.score, hit.memory.id))
    total = max(len(hits), *(page.total for page in pages))
    return Page(items=tuple(hits[query.offset : query.offset + query.limit]), total=total, offset=query.offset)


def _combine(hits: Sequence[Hit], wordings: int) -> Hit:
    best = max(hits, key=lambda hit: hit.score)
    mean = sum(hit.score for hit in hits) / wordings
    return replace(
        best,
        score=(1 - _AGREEMENT) * best.score + _AGREEMENT * mean,
        weak=all(hit.weak for hit in hits),
    )
