"""Search by words and by meaning, and order the hits by their total score.

Two questions are kept apart. Which memory matches best is relative: ranks and cosines are divided by the greatest of
them. Whether a memory answers at all is absolute: how much of the question's weight it covers, where rare words weigh
most, and how near it is in meaning. Some memory is always the nearest, so a memory that does not answer is never told
unasked. A caller who asks also gets the nearest memories, and those that may not answer are marked as weak.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from limpet.lean.record import record, replace
from limpet.model.memory import Type
from limpet.model.query import Hit, Page, Query, Stored
from limpet.model.reach import Feedback
from limpet.model.standing import rate_unused
from limpet.recall.coverage import ASKING, Coverage
from limpet.recall.temporal import Cue, read_cue, reads_as_listing, type_asked_for
from limpet.settings import RecallSettings
from limpet.store.protocol import Neighbours, Reading
from limpet.text.embedding import load_embedding_table
from limpet.text.lexicon import parse_terms

_POOL = 100
"""The least number of memories that the store ranks by words, and by meaning."""
_BLOCK = 24
"""How many of the matches are read and put in order together, so that one page does not change the order of another."""
_ASKED_BLOCK = 20
"""The same for a question that somebody asks. Its order needs more measures, so fewer memories are measured."""
_LEADERS = 6
_LEAST_EVIDENCE = 0.5
"""The evidence that a match needs if it is of the time that the question names."""
_COMPARED_UNASKED = 10_000
"""How many of the newest memories of each scope are compared by meaning while a prompt waits; all, if somebody asks.

Older memories are still found by their words, so the cost of a prompt does not grow with the store.
"""
_DEMAND = 0.35
_BESIDE_SUMMARY = 0.6
"""The match of a memory of the last session if the question asks about the session as a whole."""
_WELL_COVERED = 0.95
"""If one memory covers this share of a question, its words find the answer, and the sentence encoder is not asked."""
_ENCODER_GAIN = 1.3
"""The sentence encoder is trusted more than the table: the share of meaning in a match is multiplied by this."""
_BASELINE = 0.3
"""This share of the best match counts as no match, so that a recent but irrelevant memory does not rank high."""


@record
class Match:
    """How well one memory matches.

    `coverage` and `cosine` are absolute, the other measures relative to the best match.
    """

    score: float
    words: float
    meaning: float
    coverage: float
    cosine: float
    block: int = 0
    """The number of the block in which the memory was read; the matches of a block are ordered among themselves."""

    @property
    def details(self) -> dict[str, float]:
        """Return the measures behind the score, as parts of a hit."""
        return {"words": self.words, "meaning": self.meaning, "coverage": self.coverage, "cosine": self.cosine}

    def evidence(self, settings: RecallSettings) -> float:
        """Return the evidence for an answer: words and meaning, each divided by the amount that is enough alone."""
        return self.coverage / settings.enough_coverage + self.cosine / settings.enough_cosine

    def is_answer(self, settings: RecallSettings) -> bool:
        """Tell whether the memory covers enough of the words, is near enough in meaning, or has much of both.

        A memory whose score is far below the best has the score 0. It does not answer, however many of the words it
        covers.
        """
        if self.score <= 0:
            return False
        if self.coverage >= settings.enough_coverage or self.cosine >= settings.enough_cosine:
            return True
        return self.evidence(settings) >= settings.enough_both


def search(
    query: Query,
    *,
    reading: Reading,
    settings: RecallSettings,
    judge: Callable[[Stored], Stored],
    last_session: str | None = None,
) -> Page[Hit]:
    """Return the memories that answer a question, best first; `judge` checks the signature of each.

    With `query.weak`, the nearest memories follow, marked as weak.
    """
    cue = read_cue(query.text, query.now)
    is_timed = cue.is_present
    asked = replace(query, text=cue.rest) if is_timed else query
    words = [term.text for term in parse_terms(asked.text, even_common=False)] if is_timed else []
    if is_timed and reads_as_listing(words):
        found, left = _list_window(asked, cue, words, reading=reading, last_session=last_session)
    else:
        found, left = _find_answers(asked, reading=reading, settings=settings)
        if is_timed:
            then, _ = _find_in_window(asked, cue, reading=reading, settings=settings, last_session=last_session)
            known = {stored.memory.id for _, stored in then}
            found = then + [(match, stored) for match, stored in found if stored.memory.id not in known]
    hits: dict[str, Hit] = {}
    blocks: dict[str, int] = {}
    for match, stored in found:
        judged = judge(stored)
        parts = score_parts(judged, match=match.score, now=query.now, settings=settings)
        score = total_score(parts, settings)
        if is_timed:
            parts["when"] = float(cue.fits(judged.memory, last_session=last_session))
            score = (score + settings.when_weight * parts["when"]) / (1 + settings.when_weight)
        parts |= match.details
        hits[judged.memory.id] = Hit(stored=judged, score=score, parts=parts, weak=not match.is_answer(settings))
        blocks[judged.memory.id] = match.block
    _lower_contradicted(hits, reading)

    def order(id: str) -> tuple[int, float, float, str]:
        return blocks[id], -hits[id].score, -hits[id].stored.memory.confidence, id

    chosen = [hits[id] for id in sorted(hits, key=order)[query.offset : query.offset + query.limit]]
    return Page(items=tuple(chosen), total=len(hits) + left, offset=query.offset)


Found = tuple[list[tuple["Match", Stored]], int]
"""The best matches, best first, and how many more there are."""


def _find_answers(query: Query, *, reading: Reading, settings: RecallSettings) -> Found:
    """Return the memories that answer; if the query asks for weak ones too, all that were found."""
    found, left = find_matches(query, reading=reading, settings=settings)
    if query.weak:
        return found, left
    return [each for each in found if each[0].is_answer(settings)], 0


def _find_in_window(
    query: Query, cue: Cue, *, reading: Reading, settings: RecallSettings, last_session: str | None
) -> Found:
    """Return the best matches within the time that a question names; there, little evidence is enough."""
    window = _restrict_to_window(query, cue, last_session)
    lenient = replace(settings, enough_both=_LEAST_EVIDENCE)
    return _find_answers(replace(window, weak=False), reading=reading, settings=lenient) if window else ([], 0)


def _list_window(query: Query, cue: Cue, words: Sequence[str], *, reading: Reading, last_session: str | None) -> Found:
    """Return the memories of the named time, of the type that the question asks for.

    The summary of a session says what it was about, so it matches better than the rest of the session.
    """
    window = _restrict_to_window(query, cue, last_session)
    if window is None:
        return [], 0
    whole = Match(score=1.0, words=0.0, meaning=0.0, coverage=1.0, cosine=0.0)
    part = replace(whole, score=_BESIDE_SUMMARY) if cue.last_session else whole
    everything = replace(
        window, type=window.type or type_asked_for(words), limit=_round_to_blocks(query, _BLOCK), offset=0
    )
    page = reading.browse(everything)
    found = [
        (replace(whole if stored.memory.type is Type.SESSION_SUMMARY else part, block=number // _BLOCK), stored)
        for number, stored in enumerate(page.items)
    ]
    return found, page.total - len(found)


def _round_to_blocks(query: Query, size: int) -> int:
    """Return how many matches are read for a page: whole blocks of a size, up to the end of the page."""
    return -(-(query.offset + query.limit) // size) * size


def _restrict_to_window(query: Query, cue: Cue, last_session: str | None) -> Query | None:
    """Return the query for the named time only; None if there was no last session."""
    if cue.last_session and last_session is None:
        return None
    return replace(
        query,
        since=query.since or cue.since,
        until=query.until or cue.until,
        session=last_session if cue.last_session else query.session,
        branch=cue.branch or query.branch,
    )


def _lower_contradicted(hits: dict[str, Hit], reading: Reading) -> None:
    """Let the less certain of two hits that contradict each other score no more than the other."""
    certainty = {id: hit.stored.memory.confidence for id, hit in hits.items()}
    doubted = [id for id in hits if certainty[id] < 1]
    for pair in reading.contradictions(doubted) if doubted else ():
        if all(id in hits for id in pair):
            less, more = sorted(pair, key=lambda id: certainty[id])
            hits[less] = replace(hits[less], score=min(hits[less].score, hits[more].score))


def find_matches(query: Query, *, reading: Reading, settings: RecallSettings) -> Found:
    """Return the memories that may answer, best match first."""
    asked = parse_terms(query.text)
    covered = Coverage(query, asked, reading)
    code = load_embedding_table().encode(query.text, covered.weigh_words) if reading.has_vectors else None
    pool = max(_POOL, 2 * (query.offset + query.limit))
    ranks = dict(reading.by_words(query, covered.ranking_terms, limit=pool))
    bound = {} if query.weak else {"newest": _COMPARED_UNASKED}
    near = dict(reading.by_meaning(query, code, limit=pool, **bound)) if code else {}
    if code:
        near |= reading.closeness(code, [key for key in ranks if key not in near])
    if not ranks and not near:
        return [], 0
    # The best match by words may hold few of them: words count as far as any memory covers the question.
    leaders = covered.fetch(tuple(ranks)[:_LEADERS]) if near else []
    asking = covered.find_questions(leaders)
    leaders = [key for key in leaders if key not in asking] or leaders
    best_coverage = max(covered.measure(leaders).values(), default=0.0) if near else 1.0
    # The sentence encoder orders better; whether there is a match at all is judged by the table, with or without it.
    share = settings.meaning_share if near else 0.0
    sentences: dict[int, float] = {}
    if code and query.weak and share and best_coverage < _WELL_COVERED:
        sentences = _find_sentences(query, reading, near, pool)
        near |= reading.closeness(code, [key for key in sentences if key not in near])
    if sentences:
        share = min(1.0, _ENCODER_GAIN * share)
    words, meaning = _scale_to_best(ranks), _scale_to_best(sentences or near)
    # A memory without a vector, as after a rebuild, is judged by its words alone.
    own = {
        key: (1 - share) * best_coverage * words.get(key, 0.0)
        + share * meaning.get(key, best_coverage * words.get(key, 0.0))
        for key in (*ranks, *near)
    }
    places = reading.neighbours(tuple(own))
    scores = _add_context(own, places)
    # The fitted order takes longer, so a prompt does not wait for it; and it was fitted to the cosines of the table.
    fitted = query.weak and share > 0 and not sentences
    size = _ASKED_BLOCK if fitted else _BLOCK
    best = sorted(scores, key=lambda key: -scores[key])[: _round_to_blocks(query, size)]
    read = covered.fetch(best)
    asking, shares = covered.find_questions(read), covered.measure(read)
    matches = _scale_matches(scores, shares, asking, best_coverage)
    first = {key: shares[key] for key in read[:size] if matches[key] > 0}
    if fitted and near.keys() >= first.keys():
        # Loaded here: nothing that is told unasked waits for it.
        from limpet.recall.ranking import Pool, rank_matches

        known = Pool(
            ranks=ranks, near=near, own=own, scores=scores, places=places, asking=asking, best_coverage=best_coverage
        )
        order = rank_matches(first, known, query.text, covered, reading)
        # What is read for later pages keeps its order, below the first block.
        least = min(order.values(), default=0.0)
        matches = {key: order.get(key, least * match) if match > 0 else 0.0 for key, match in matches.items()}
    found = [
        (
            Match(
                score=matches[key],
                words=words.get(key, 0.0),
                meaning=meaning.get(key, 0.0),
                coverage=shares[key],
                cosine=near.get(key, 0.0),
                block=number // size,
            ),
            covered.memories[key],
        )
        for number, key in enumerate(read)
    ]
    return found, len(scores) - len(best)


def _scale_matches(
    scores: Mapping[int, float], shares: Mapping[int, float], asking: Collection[int], best_coverage: float
) -> dict[int, float]:
    """Return the match of each memory, from 0 to 1; `shares` says how much of the question each covers."""
    lowered = {key: ASKING * scores[key] if key in asking else scores[key] for key in shares}
    most = max(lowered.values(), default=0.0) or 1.0
    # Where one memory covers the whole question, those that cover a part of it count less.
    demand = _DEMAND * best_coverage**2
    return {
        key: max(0.0, (value / most - _BASELINE) / (1 - _BASELINE)) * (1 - demand * (1 - shares[key]))
        for key, value in lowered.items()
    }


def _find_sentences(query: Query, reading: Reading, near: Mapping[int, float], pool: int) -> dict[int, float]:
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
    found = dict(reading.by_meaning(query, code, limit=pool))
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


_PENALTY = {Feedback.WRONG: 0.7, Feedback.STALE: 0.4}
"""The share of its score that a memory loses by this feedback."""


def score_parts(stored: Stored, *, match: float, now: datetime, settings: RecallSettings) -> dict[str, float]:
    """Return the parts of the search score of a memory, by name; `total_score` weighs and adds them."""
    memory = stored.memory
    days = max(0.0, (now - memory.updated_at).total_seconds() / 86_400)
    # Being found once must not make a memory rank higher in the next question.
    strength, trust = rate_unused(memory, stored.standing, now=now, warned=stored.warned)
    parts = {
        "match": match,
        "recency": 0.5 ** (days / settings.half_life_days),
        "strength": strength,
        "trust": trust,
    }
    if stored.standing.feedback in _PENALTY:
        parts["doubt"] = _PENALTY[stored.standing.feedback]
    return parts


def total_score(parts: Mapping[str, float], settings: RecallSettings) -> float:
    """Return the weighted mean of the parts, less the penalty for bad feedback."""
    weights = {
        "match": settings.match_weight,
        "recency": settings.recency_weight,
        "strength": settings.strength_weight,
        "trust": settings.trust_weight,
    }
    score = sum(weight * parts[name] for name, weight in weights.items()) / (sum(weights.values()) or 1.0)
    return score * (1 - parts.get("doubt", 0.0))


def weigh_question(settings: RecallSettings) -> RecallSettings:
    """Return settings with the weights for a question that a person or a model asks.

    The match with the question weighs `asked_match_weight`. Recency, strength and trust share what is left, in the
    proportions that they had.
    """
    rest = settings.recency_weight + settings.strength_weight + settings.trust_weight
    share = (1 - settings.asked_match_weight) / rest if rest else 0.0
    return replace(
        settings,
        match_weight=settings.asked_match_weight,
        recency_weight=share * settings.recency_weight,
        strength_weight=share * settings.strength_weight,
        trust_weight=share * settings.trust_weight,
    )
