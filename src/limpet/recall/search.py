"""Scored search: candidates by words and by meaning, put together, judged, and ordered by the whole score.

Two questions are kept apart. Which of the candidates is the best is relative: ranks and cosines are divided by their
greatest. Whether there is an answer at all is absolute: how much of the question's weight a memory covers, where rare
words weigh most, and how near it lies in meaning. So a question that nothing answers gets nothing, though something
is always nearest.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from limpet.lean.record import record, replace
from limpet.model.query import Hit, Page, Query, Stored
from limpet.recall.scoring import score_parts, total
from limpet.recall.temporal import Cue, read_cue
from limpet.settings import RecallSettings
from limpet.store.protocol import Neighbours, Reading
from limpet.text.embedding import table
from limpet.text.lexicon import Term, spread, terms

_POOL = 100
_JUDGED = 24
_LEADERS = 6
_LEAST_EVIDENCE = 0.5
_DEMAND = 0.35
_COMMON = 1000
_NO_MATCH = 0.3
"""A match of this share of the best counts as none, so that being recent cannot make up for being beside the point."""


@record
class Candidate:
    """One memory that may answer; `coverage` and `cosine` are absolute, `match` is relative to the others."""

    match: float
    words: float
    meaning: float
    coverage: float
    cosine: float

    @property
    def details(self) -> dict[str, float]:
        return {"words": self.words, "meaning": self.meaning, "coverage": self.coverage, "cosine": self.cosine}

    def evidence(self, settings: RecallSettings) -> float:
        """How much says that it speaks of what was asked: words and meaning, each measured by what suffices."""
        return self.coverage / settings.enough_coverage + self.cosine / settings.enough_cosine

    def answers(self, settings: RecallSettings) -> bool:
        """Whether it surely does: enough of the words, or near enough in meaning, or much of both."""
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
    cue = read_cue(query.text, query.now)
    asked = replace(query, text=cue.rest) if cue.says_something else query
    found = _answering(asked, reading=reading, settings=settings)
    if cue.says_something:
        then = _of_that_time(asked, cue, reading=reading, settings=settings, last_session=last_session)
        known = {stored.memory.id for _, stored in then}
        found = then + [(candidate, stored) for candidate, stored in found if stored.memory.id not in known]
    hits = []
    for candidate, stored in found:
        judged = judge(stored)
        parts = score_parts(judged, match=candidate.match, now=query.now, settings=settings)
        score = total(parts, settings)
        if cue.says_something:
            parts["when"] = float(cue.fits(judged.memory, last_session=last_session))
            score += settings.when_weight * parts["when"]
        parts |= candidate.details
        hits.append(Hit(stored=judged, score=score, parts=parts))
    hits.sort(key=lambda hit: (-hit.score, hit.memory.id))
    chosen = hits[query.offset : query.offset + query.limit]
    return Page(items=tuple(chosen), total=len(hits), offset=query.offset)


def is_answer(hit: Hit, settings: RecallSettings) -> bool:
    """Whether a hit would have been an answer by itself, and not only beside a better one."""
    parts = hit.parts
    alone = Candidate(
        match=parts["match"],
        words=parts.get("words", 0.0),
        meaning=parts.get("meaning", 0.0),
        coverage=parts.get("coverage", 0.0),
        cosine=parts.get("cosine", 0.0),
    )
    return alone.answers(settings)


def _answering(query: Query, *, reading: Reading, settings: RecallSettings) -> list[tuple[Candidate, Stored]]:
    found = find(query, reading=reading, settings=settings)
    if query.weak:
        return found
    if not any(candidate.answers(settings) for candidate, _ in found):
        return []
    return [(candidate, stored) for candidate, stored in found if candidate.evidence(settings) >= _LEAST_EVIDENCE]


def _of_that_time(
    query: Query, cue: Cue, *, reading: Reading, settings: RecallSettings, last_session: str | None
) -> list[tuple[Candidate, Stored]]:
    """What fits best among the memories of the time that was named; all of them, if nothing but a time was."""
    if cue.last_session and last_session is None:
        return []
    window = replace(
        query,
        since=query.since or cue.since,
        until=query.until or cue.until,
        session=last_session if cue.last_session else query.session,
        branch=cue.branch or query.branch,
    )
    if terms(query.text, even_common=False):
        return _answering(window, reading=reading, settings=replace(settings, enough_both=_LEAST_EVIDENCE))
    whole = Candidate(match=1.0, words=0.0, meaning=0.0, coverage=1.0, cosine=0.0)
    everything = replace(window, limit=max(_JUDGED, query.offset + query.limit), offset=0)
    return [(whole, stored) for stored in reading.browse(everything).items]


def find(query: Query, *, reading: Reading, settings: RecallSettings) -> list[tuple[Candidate, Stored]]:
    """What may answer, the best match first; only these are looked at more closely."""
    asked = terms(query.text)
    code = table().encode(query.text) if reading.has_vectors else None
    wanted = query.offset + query.limit
    pool = max(_POOL, 2 * wanted)
    weighed = _Weighed(query, asked, reading)
    ranks = dict(reading.by_words(query, weighed.telling, limit=pool))
    near = dict(reading.by_meaning(query, code, limit=pool)) if code else {}
    if code:
        near |= reading.closeness(code, [key for key in ranks if key not in near])
    if not ranks and not near:
        return []
    # The best by words may hold only the least of them: words count as far as the question is covered at all.
    leaders = tuple(ranks)[:_LEADERS]
    heard = max((weighed.coverage(key) for key in weighed.fetch(leaders)), default=0.0) if near else 1.0
    words, meaning = _relative(ranks), _relative(near)
    share = settings.meaning_share if near else 0.0
    own = {key: (1 - share) * heard * words.get(key, 0.0) + share * meaning.get(key, 0.0) for key in (*ranks, *near)}
    match = _in_context(own, reading.neighbours(tuple(own)))
    best = sorted(match, key=lambda key: -match[key])[: max(_JUDGED, wanted + 14)]
    most = match[best[0]] or 1.0
    # Where one memory covers the whole question, those that cover a part of it are worth less.
    demand = _DEMAND * heard**2
    return [
        (
            Candidate(
                match=max(0.0, (match[key] / most - _NO_MATCH) / (1 - _NO_MATCH))
                * (1 - demand * (1 - weighed.coverage(key))),
                words=words.get(key, 0.0),
                meaning=meaning.get(key, 0.0),
                coverage=weighed.coverage(key),
                cosine=near.get(key, 0.0),
            ),
            weighed.memories[key],
        )
        for key in weighed.fetch(best)
    ]


class _Weighed:
    """The memories that are looked at, and how much of the question's weight each covers.

    A term weighs more the fewer memories hold it; one that none holds weighs most, and nobody covers it.
    """

    def __init__(self, query: Query, asked: Sequence[Term], reading: Reading) -> None:
        self.memories: dict[int, Stored] = {}
        self._query, self._asked, self._reading = query, asked, reading
        self._covered: dict[int, float] = {}
        everything, counts = reading.frequencies(query, asked)
        # Ranking all that hold a common word costs most and tells least; rarer words find the same memories.
        rare = [term for term, count in zip(asked, counts, strict=True) if 0 < count < _COMMON]
        self.telling = rare if len(rare) > 1 else asked
        self._weights = [math.log(1 + (everything - min(count, everything) + 0.5) / (count + 0.5)) for count in counts]
        self._whole = sum(self._weights)

    def fetch(self, keys: Sequence[int]) -> list[int]:
        """Read those that the query may see; the others are left out."""
        missing = tuple(key for key in keys if key not in self.memories)
        if missing:
            self.memories |= self._reading.by_keys(self._query, missing)
        return [key for key in keys if key in self.memories]

    def coverage(self, key: int) -> float:
        if key not in self._covered:
            self._covered[key] = self._measure(self.memories[key]) if self._whole else 0.0
        return self._covered[key]

    def _measure(self, stored: Stored) -> float:
        memory = stored.memory
        files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
        text = spread("\n".join((memory.title, memory.subtitle, memory.original_content, *memory.tags, *files)))
        held = sum(weight for term, weight in zip(self._asked, self._weights, strict=True) if term.is_in(text))
        return held / self._whole


def _relative(values: Mapping[int, float]) -> dict[int, float]:
    most = max(values.values(), default=0.0)
    return {key: max(0.0, value) / most for key, value in values.items()} if most > 0 else {}


# What is said beside a memory counts mildly: a short one leans on its neighbours, a long one speaks for itself.
_NEIGHBOUR = 0.2
_SHORT = 40
_SESSION = 0.15
_SESSION_BEST = 3


def _in_context(own: Mapping[int, float], neighbours: Mapping[int, Neighbours]) -> dict[int, float]:
    sessions: dict[str, list[float]] = defaultdict(list)
    for key, value in own.items():
        place = neighbours.get(key)
        if place and place.session:
            sessions[place.session].append(value)
    best = {name: sum(sorted(values, reverse=True)[:_SESSION_BEST]) for name, values in sessions.items()}
    answer = {}
    for key, value in own.items():
        place = neighbours.get(key)
        if place is None or place.session is None:
            # A memory of no session would fall behind those that have company: it keeps itself company.
            answer[key] = value * (1 + _SESSION)
            continue
        lean = _NEIGHBOUR * min(1.0, _SHORT / max(1, place.tokens))
        around = own.get(place.before or -1, 0.0) + own.get(place.after or -1, 0.0)
        answer[key] = value + lean * around + _SESSION * best[place.session]
    return answer
