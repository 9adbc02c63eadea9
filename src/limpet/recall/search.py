"""Search by words and by meaning, and order the hits by their total score.

Two questions are kept apart. Which memory matches best is relative: ranks and cosines are divided by the greatest of
them. Whether a memory answers at all is absolute: how much of the question's weight it covers, where rare words weigh
most, and how near it is in meaning. Some memory is always the nearest, so a memory that does not answer is never told
unasked. A caller who asks also gets the nearest memories, and those that may not answer are marked as weak.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import islice

from limpet.lean.record import record, replace
from limpet.model.memory import Type
from limpet.model.query import Hit, Page, Query, Stored
from limpet.model.reach import Feedback
from limpet.model.standing import rate_unused
from limpet.recall.coverage import ASKING, Coverage
from limpet.recall.pool import BLOCK, Pool, find_pool, round_to_blocks
from limpet.recall.temporal import Cue, read_cue, reads_as_listing, says_type, type_asked_for
from limpet.settings import RecallSettings
from limpet.store.protocol import Reading
from limpet.text.lexicon import parse_terms

ENOUGH_COSINE = 0.47
"""Similarity in meaning that is enough without common words."""
_ENOUGH_COVERAGE = 0.5
"""Share of a question's weight that the words of a memory must cover to answer it."""
_ENOUGH_BOTH = 1.64
"""How much of words and meaning together is enough, each divided by the amount that is enough alone."""
_LEAST_WEIGHT = 5.25
"""Weight of the words that a memory and a prompt share, below which it is not told unasked.

A common word weighs about two, a rare one five.
"""
_REST = {"recency": 0.20, "strength": 0.15, "trust": 0.10}
"""Weights of the parts of a score besides the match, which share what the match leaves in these proportions."""
_WHEN = 0.25
"""Weight, in the score, of the time that a question names."""
_LEAST_EVIDENCE = 0.5
"""The evidence that a match needs if it is of the time that the question names."""
_DEMAND = 0.35
_BESIDE_SUMMARY = 0.6
"""The match of a memory of the last session if the question asks about the session as a whole."""
_BASELINE = 0.3
"""This share of the best match counts as no match, so that a recent but irrelevant memory does not rank high."""


@record
class Match:
    """How well one memory matches.

    `coverage`, `weight` and `cosine` are absolute, the other measures relative to the best match.
    """

    score: float
    words: float
    meaning: float
    coverage: float
    cosine: float
    weight: float = 0.0
    """The weight of the question's words that the memory holds: about two for a common word, five for a rare one."""
    block: int = 0
    """The number of the block in which the memory was read; the matches of a block are ordered among themselves."""

    @property
    def details(self) -> dict[str, float]:
        """Return the measures behind the score, as parts of a hit."""
        return {
            "words": self.words,
            "meaning": self.meaning,
            "coverage": self.coverage,
            "cosine": self.cosine,
            "weight": self.weight,
        }

    def may_be_told(self) -> bool:
        """Tell whether the memory answers, and shares more with a prompt than a rare word or a few common ones."""
        return self.is_answer() and self.weight >= _LEAST_WEIGHT

    def is_answer(self, enough_both: float = _ENOUGH_BOTH) -> bool:
        """Tell whether the memory covers enough of the words, is near enough in meaning, or has much of both.

        A memory whose score is far below the best has the score 0. It does not answer, however many of the words it
        covers.
        """
        if self.score <= 0:
            return False
        if self.coverage >= _ENOUGH_COVERAGE or self.cosine >= ENOUGH_COSINE:
            return True
        return self.coverage / _ENOUGH_COVERAGE + self.cosine / ENOUGH_COSINE >= enough_both


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
        found, left = find_matches(asked, reading=reading)
        if not asked.weak:
            found, left = [each for each in found if each[0].may_be_told()], 0
        if is_timed:
            then = _find_in_window(asked, cue, reading=reading, last_session=last_session)
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
            score = (score + _WHEN * parts["when"]) / (1 + _WHEN)
        parts |= match.details
        hits[judged.memory.id] = Hit(stored=judged, score=score, parts=parts, weak=not match.is_answer())
        blocks[judged.memory.id] = match.block
    _lower_contradicted(hits, reading)

    def order(id: str) -> tuple[int, float, float, str]:
        return blocks[id], -hits[id].score, -hits[id].stored.memory.confidence, id

    chosen = [hits[id] for id in sorted(hits, key=order)[query.offset : query.offset + query.limit]]
    return Page(items=tuple(chosen), total=len(hits) + left, offset=query.offset)


Found = tuple[list[tuple["Match", Stored]], int]
"""The best matches, best first, and how many more there are."""


def _find_in_window(
    query: Query, cue: Cue, *, reading: Reading, last_session: str | None
) -> list[tuple[Match, Stored]]:
    """Return the best matches within the time that a question names; there, little evidence is enough."""
    window = _restrict_to_window(query, cue, last_session)
    found = find_matches(replace(window, weak=False), reading=reading)[0] if window else []
    return [each for each in found if each[0].is_answer(_LEAST_EVIDENCE)]


def _list_window(query: Query, cue: Cue, words: Sequence[str], *, reading: Reading, last_session: str | None) -> Found:
    """Return the memories of the named time, of the type that the question asks for.

    The type was only inferred from the words of a memory. So those of another type that say the same count too ("we
    agreed on …"), and if there are none at all, the question gets what else there is, as a weak answer. The summary of
    a session says what it was about, so it matches better than the rest of the session.
    """
    window = _restrict_to_window(query, cue, last_session)
    if window is None:
        return [], 0
    # The question names nothing but the time, so each memory of that time answers it.
    whole = Match(score=1.0, words=0.0, meaning=0.0, coverage=1.0, cosine=1.0)
    part = replace(whole, score=_BESIDE_SUMMARY) if cue.last_session else whole
    everything = replace(window, limit=round_to_blocks(query, BLOCK), offset=0)
    wanted = None if window.type else type_asked_for(words)
    page = reading.browse(replace(everything, type=wanted) if wanted else everything)
    items, left = list(page.items), page.total - len(page.items)
    if wanted:
        others = reading.browse(everything)
        items += [each for each in others.items if each.memory.type is not wanted and says_type(each.memory, wanted)]
        if not items:
            items, left = list(others.items), others.total - len(others.items)
            part = whole = replace(whole, score=_BESIDE_SUMMARY, coverage=0.0, cosine=0.0)
    found = [
        (replace(whole if stored.memory.type is Type.SESSION_SUMMARY else part, block=number // BLOCK), stored)
        for number, stored in enumerate(items)
    ]
    return found, left


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


def find_matches(query: Query, *, reading: Reading) -> Found:
    """Return the memories that may answer, best match first."""
    covered = Coverage(query, parse_terms(query.text), reading)
    pool = find_pool(query, covered, reading=reading)
    if pool is None:
        return [], 0
    matches: Mapping[int, float] = _scale_matches(pool)
    if pool.is_fitted:
        matches = _order_first_block(matches, pool, query.text, covered, reading)
    # Whether a memory is told unasked is judged by how rare its words are everywhere; the order was fitted without.
    shared = {} if query.weak else covered.measure_shared(pool.shares)
    found = [
        (
            Match(
                score=matches[key],
                words=pool.words.get(key, 0.0),
                meaning=pool.meaning.get(key, 0.0),
                coverage=shared[key][0] if shared else share,
                cosine=pool.near.get(key, 0.0),
                weight=shared[key][1] if shared else 0.0,
                block=number // pool.size,
            ),
            covered.memories[key],
        )
        for number, (key, share) in enumerate(pool.shares.items())
    ]
    return found, max(0, len(pool.scores) - round_to_blocks(query, pool.size))


def _scale_matches(pool: Pool) -> dict[int, float]:
    """Return the match of each memory that was read, from 0 to 1."""
    lowered = {key: ASKING * pool.scores[key] if key in pool.asking else pool.scores[key] for key in pool.shares}
    most = max(lowered.values(), default=0.0) or 1.0
    # Where one memory covers the whole question, those that cover a part of it count less.
    demand = _DEMAND * pool.best_coverage**2
    return {
        key: max(0.0, (value / most - _BASELINE) / (1 - _BASELINE)) * (1 - demand * (1 - pool.shares[key]))
        for key, value in lowered.items()
    }


def _order_first_block(
    matches: Mapping[int, float], pool: Pool, question: str, covered: Coverage, reading: Reading
) -> Mapping[int, float]:
    """Return the matches with the first block in the fitted order; those of later blocks keep theirs, below it."""
    first = {key: share for key, share in islice(pool.shares.items(), pool.size) if matches[key] > 0}
    if not first or not pool.near.keys() >= first.keys():
        # A memory without a vector, as after a rebuild, cannot be measured.
        return matches
    # Loaded here: nothing that is told unasked waits for it.
    from limpet.recall.ranking import rank_matches

    order = rank_matches(first, pool, question, covered, reading)
    least = min(order.values())
    return {key: order.get(key, least * match) for key, match in matches.items()}


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
    rest = sum(weight * parts[name] for name, weight in _REST.items()) / sum(_REST.values())
    score = settings.match_weight * parts["match"] + (1 - settings.match_weight) * rest
    return score * (1 - parts.get("doubt", 0.0))


def weigh_question(settings: RecallSettings) -> RecallSettings:
    """Return settings with the weight of the match for a question that a person or a model asks."""
    return replace(settings, match_weight=settings.asked_match_weight)
