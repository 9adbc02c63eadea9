"""Find the memories that may answer a question, score them by words and by meaning, and read the best of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from limpet.lean.record import record
from limpet.model.query import Query
from limpet.recall.coverage import Coverage
from limpet.store.protocol import Neighbours, Reading
from limpet.text.embedding import Code, load_embedding_table

_POOL = 100
"""The least number of memories that the store ranks by words, and by meaning."""
BLOCK = 24
"""How many of the matches are read and put in order together, so that one page does not change the order of another."""
_ASKED_BLOCK = 20
"""The same for a question that somebody asks. Its order needs more measures, so fewer memories are measured."""
_LEADERS = 6
_COMPARED_UNASKED = 10_000
"""How many of the newest memories of each scope are compared by meaning while a prompt waits; all, if somebody asks.

Older memories are still found by their words, so the cost of a prompt does not grow with the store.
"""
_WELL_COVERED = 0.95
"""If one memory covers this share of a question, its words find the answer, and the sentence encoder is not asked."""
_MEANING_SHARE = 0.5
"""Share of meaning in the first look at the memories, and in what is told unasked; the rest is words."""
_ENCODER_GAIN = 1.3
"""The sentence encoder is trusted more than the table: the share of meaning in a match is multiplied by this."""


@record
class Pool:
    """The memories that the store finds for a question, with their measures and scores, by their keys."""

    ranks: Mapping[int, float]
    """The best memories by words, best first."""
    near: Mapping[int, float]
    """The cosines by the embedding table."""
    words: Mapping[int, float]
    """The ranks, as shares of the best."""
    meaning: Mapping[int, float]
    """The cosines, as shares of the best; those by the sentence encoder, if it was asked."""
    own: Mapping[int, float]
    """The score of each memory by words and meaning."""
    scores: Mapping[int, float]
    """The same scores, raised by those of the neighbours of each memory."""
    places: Mapping[int, Neighbours]
    best_coverage: float
    shares: Mapping[int, float]
    """How much of the question each of the best memories covers. Only these were read, in this order."""
    asking: Collection[int]
    """Those of them that only ask."""
    size: int
    """The size of a block: how many of the best are put in order together."""
    is_fitted: bool
    """Whether the first block is put in the fitted order."""


def find_pool(query: Query, covered: Coverage, *, reading: Reading) -> Pool | None:
    """Return what the store finds for a question, and read the best of it; None if it finds nothing."""
    ranks, near, code = _find_candidates(query, covered, reading)
    if not ranks and not near:
        return None
    best_coverage = _cover_by_best(covered, ranks) if near else 1.0
    # The sentence encoder orders better; whether there is a match at all is judged by the table, with or without it.
    share = _MEANING_SHARE if near else 0.0
    sentences: dict[int, float] = {}
    if code and query.weak and share and best_coverage < _WELL_COVERED:
        sentences = _find_sentences(query, reading, near)
    if code and sentences:
        near |= reading.closeness(code, [key for key in sentences if key not in near])
        share = min(1.0, _ENCODER_GAIN * share)
    words, meaning = _scale_to_best(ranks), _scale_to_best(sentences or near)
    own = _score((*ranks, *near), words, meaning, best_coverage=best_coverage, share=share)
    places = reading.neighbours(tuple(own))
    scores = _add_context(own, places)
    # The fitted order takes longer, so a prompt does not wait for it; and it was fitted to the cosines of the table.
    is_fitted = query.weak and share > 0 and not sentences
    size = _ASKED_BLOCK if is_fitted else BLOCK
    read = covered.fetch(sorted(scores, key=lambda key: -scores[key])[: round_to_blocks(query, size)])
    return Pool(
        ranks=ranks,
        near=near,
        words=words,
        meaning=meaning,
        own=own,
        places=places,
        scores=scores,
        best_coverage=best_coverage,
        asking=covered.find_questions(read),
        shares=covered.measure(read),
        size=size,
        is_fitted=is_fitted,
    )


def _find_candidates(
    query: Query, covered: Coverage, reading: Reading
) -> tuple[dict[int, float], dict[int, float], Code | None]:
    """Return the best memories by words, with their ranks; those and the nearest, with their cosines; and the vector.

    The vector is that of the question. If there is none, only words count.
    """
    code = load_embedding_table().encode(query.text, covered.weigh_words) if reading.has_vectors else None
    limit = _count_pool(query)
    ranks = dict(reading.by_words(query, covered.ranking_terms, limit=limit))
    if not code:
        return ranks, {}, None
    bound = {} if query.weak else {"newest": _COMPARED_UNASKED}
    near = dict(reading.by_meaning(query, code, limit=limit, **bound))
    if others := [key for key in ranks if key not in near]:
        near |= reading.closeness(code, others)
    return ranks, near, code


def _count_pool(query: Query) -> int:
    """Return how many memories the store ranks by words, and by meaning."""
    return max(_POOL, 2 * (query.offset + query.limit))


def _cover_by_best(covered: Coverage, ranks: Mapping[int, float]) -> float:
    """Return the largest share of the question that one of the best memories by words covers.

    The best match by words may hold few of them: words count as far as any memory covers the question.
    """
    leaders = covered.fetch(tuple(ranks)[:_LEADERS])
    asking = covered.find_questions(leaders)
    return max(covered.measure([key for key in leaders if key not in asking] or leaders).values(), default=0.0)


def _score(
    keys: Sequence[int],
    words: Mapping[int, float],
    meaning: Mapping[int, float],
    *,
    best_coverage: float,
    share: float,
) -> dict[int, float]:
    """Return the score of each memory by words and meaning; `share` is the share of meaning.

    A memory without a vector, as after a rebuild, is judged by its words alone.
    """
    return {
        key: (1 - share) * best_coverage * words.get(key, 0.0)
        + share * meaning.get(key, best_coverage * words.get(key, 0.0))
        for key in keys
    }


def round_to_blocks(query: Query, size: int) -> int:
    """Return how many matches are read for a page: whole blocks of a size, up to the end of the page."""
    return -(-(query.offset + query.limit) // size) * size


def _find_sentences(query: Query, reading: Reading, near: Mapping[int, float]) -> dict[int, float]:
    """Return the cosines by the sentence encoder: of the nearest memories, and of those in `near`.

    `near` has the memories that the embedding table found. Return nothing if one of them is not encoded yet, or if
    there is no encoder: cosines of the encoder and of the table cannot be compared, so all memories are ordered by one
    of the two.
    """
    # Loaded here: nothing that is told unasked waits for the encoder.
    from limpet.sentence_encoder import encode_question

    code = encode_question(query.text)
    if code is None:
        return {}
    found = dict(reading.by_meaning(query, code, limit=_count_pool(query)))
    found |= reading.closeness(code, [key for key in near if key not in found])
    return found if near.keys() <= found.keys() else {}


def _scale_to_best(values: Mapping[int, float]) -> dict[int, float]:
    """Return the values divided by the greatest."""
    most = max(values.values(), default=0.0)
    return {key: max(0.0, value) / most for key, value in values.items()} if most > 0 else dict.fromkeys(values, 0.0)


# The neighbours of a memory count a little: a short text needs their context, a long one does not.
_NEIGHBOUR = 0.2
_SHORT = 40
_SESSION = 0.15
_SESSION_BEST = 3


def _add_context(own: Mapping[int, float], neighbours: Mapping[int, Neighbours]) -> dict[int, float]:
    """Return the scores, raised by the scores of the memories before and after, and of the best of the same session."""
    sessions: dict[str, list[float]] = defaultdict(list)
    for key, value in own.items():
        place = neighbours.get(key)
        if place and place.session:
            sessions[place.session].append(value)
    best = {name: sum(sorted(values, reverse=True)[:_SESSION_BEST]) for name, values in sessions.items()}
    answer = {}
    for key, value in own.items():
        place = neighbours.get(key)
        if place is None or not place.session:
            # Without this, a memory of no session would fall behind those that have neighbours.
            answer[key] = value * (1 + _SESSION)
            continue
        lean = _NEIGHBOUR * min(1.0, _SHORT / max(1, place.tokens))
        around = own.get(place.before or -1, 0.0) + own.get(place.after or -1, 0.0)
        answer[key] = value + lean * around + _SESSION * best[place.session]
    return answer
