"""Distinguish orders from other statements with "always", "never" and "must".

"Never commit secrets" is an order, but "we never knew" is a report and "must be the cache" is a guess.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.text.words import word_set

# Past tenses that do not end in "-ed".
_IRREGULAR_PAST = word_set(
    "been was were had did done got gone went came made took taken knew known found saw seen wrote written ran gave "
    "given told thought felt left kept held broke broken began became built sent spent lost won met paid said set "
    "mind"
)
_VERBS_IN_S = word_set("pass process access address compress express guess miss press discuss cross focus bypass")
# Words that are no verbs, so that there is no order: "always good to see you", "never the same".
_NO_VERBS = word_set(
    "a an the this that my your our his her their its good great nice happy glad lovely fun best better worth hard "
    "easy right wrong true false sure possible enough there here in on at so too very more less as like because"
)
_GUESS_AFTER_BE = word_set("a an the due because caused some something related in coming wrong that why how from")


def may_order(words: Sequence[str], at: int) -> bool:
    """Tell whether the "always" or "never" at `at` may belong to an order: the next word may be an imperative."""
    verb = _word(words, at + 1)
    if not verb[:1].isalpha() or verb in _IRREGULAR_PAST or verb in _NO_VERBS or verb.endswith("ed"):
        return False
    return not verb.endswith("s") or verb in _VERBS_IN_S


def is_guess(words: Sequence[str], at: int) -> bool:
    """Tell whether the "must" at `at` expresses a guess, as in "must have been" and "must be the cache"."""
    after, later = _word(words, at + 1), _word(words, at + 2)
    if after == "have":
        return later in _IRREGULAR_PAST or later.endswith("ed")
    return after == "be" and later in _GUESS_AFTER_BE


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if at < len(words) else ""
