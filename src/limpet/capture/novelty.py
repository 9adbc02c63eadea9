"""Measure how new a text is compared with the store, and find rules that the user repeats.

If the user states a rule again in another session, in any words, its memory becomes kept. A request that is made again
("create a new branch") proves nothing, so both texts must read as a rule for the work to come.
"""

from __future__ import annotations

from datetime import datetime
from math import sqrt
from operator import mul

from limpet.capture.meaning import Meaning
from limpet.capture.score import SHORT, score_message
from limpet.capture.speech.asking import is_request
from limpet.capture.speech.prompts import read_prompt
from limpet.capture.tables import load_words
from limpet.model.memory import Memory, Origin, Tier
from limpet.model.query import Query
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.embedding import load_embedding_table
from limpet.text.replacement import contradicts
from limpet.text.similarity import jaccard, simhash
from limpet.text.vocabulary import stem
from limpet.text.words import STOP, split_words

_OF_RULES = frozenset(map(stem, load_words("words of every rule")))

_STANDING = 0.4
"""The least score, by the weights for short prompts, of a rule for the work to come."""
_SAME, _WORD = 0.74, 0.05
"""The least cosine similarity of two rules on one subject, and what each word in common adds to it."""
_EACH, _MOST_WORDS = 12, 12


def find_repeated(text: str, session: str, scope: Scope, reading: Reading) -> dict[str, Memory]:
    """Return the user's noted rules from sessions other than `session` on the subject of `text`, by memory id."""
    found: dict[str, Memory] = {}
    if not _is_standing_rule(text):
        return found
    words = [word for word in dict.fromkeys(split_words(text)) if word not in STOP and stem(word) not in _OF_RULES]
    for token in scope.tokens() or ():
        for stored in reading.recent_with_words(token, words[:_MOST_WORDS], each=_EACH):
            memory = stored.memory
            if memory.tier is not Tier.NOTED or memory.origin is not Origin.USER or memory.session in (None, session):
                continue
            said = memory.original_content
            if _has_same_subject(text, said) and _is_standing_rule(said) and not contradicts(text, said):
                found[memory.id] = memory
    return found


def _is_standing_rule(text: str) -> bool:
    prompt = read_prompt(text)
    is_passing = any(each.asks or Meaning.TEMPORARY in each.meanings for each in prompt.said)
    score = score_message(SHORT, prompt.signals, [each.words for each in prompt.said])
    return not is_passing and not is_request(text) and score.total >= _STANDING


def _has_same_subject(text: str, other: str) -> bool:
    words, others = ({stem(word) for word in split_words(each) if word not in STOP} for each in (text, other))
    shared = len((words & others) - _OF_RULES)
    table = load_embedding_table()
    code, known = table.encode(text), table.encode(other)
    if not shared or code is None or known is None:
        return False
    first, second = memoryview(code).cast("b"), memoryview(known).cast("b")
    cosine: float = sum(map(mul, first, second)) / sqrt(sum(map(mul, first, first)) * sum(map(mul, second, second)))
    return cosine + _WORD * min(shared, 2) >= _SAME


_UNLIKE, _ALIKE = 0.6, 0.95
"""The typical cosine similarity of two texts on the same subject, and of two texts that say the same thing."""


def measure_novelty(text: str, *, reading: Reading, scope: Scope, now: datetime, typed: bool = False) -> float:
    """Return how new a text is: 1 if nothing similar is stored, 0 if a text that says the same is stored.

    If `typed` is true, the text is compared only with the user's own statements. Otherwise a stored web page with the
    same content would prevent the user's statement from being stored as theirs.
    """
    origin = Origin.USER if typed else None
    worded, hashed = 0.0, simhash(text)
    for token in scope.tokens() or ():
        for stored in reading.near_duplicates(token, hashed, limit=3):
            if origin in (None, stored.memory.origin):
                worded = max(worded, jaccard(text, stored.memory.original_content))
    meant = 0.0
    code = load_embedding_table().encode(text) if reading.has_vectors else None
    if code is not None:
        nearest = reading.by_meaning(Query(scope=scope, now=now, origin=origin), code, limit=1)
        if nearest:
            meant = (nearest[0][1] - _UNLIKE) / (_ALIKE - _UNLIKE)
    return 1 - min(1.0, max(0.0, worded, meant))
