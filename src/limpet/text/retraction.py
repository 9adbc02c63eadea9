"""Tell whether a text calls a number of an older text wrong: "the 0.80 AUC was leakage"."""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences
from limpet.text.clauses import WORDS
from limpet.text.words import STOP, split_words, word_set

LONGEST = 400
"""The maximum length in characters of a text that counts as one statement."""

_FIGURE = lazy(r"(?<![\w.])\d++(?:[.,]\d++)*+%?(?![\w.]*\d)")
_VERB = lazy(r"\b(?:was|were|is|are|came from|comes from)\b")
_WRONG = lazy(
    r"\b(?:wrong|incorrect|leak(?:age|ed|s)?|bogus|invalid|artefact|artifact|mistake|mistaken|miscounted|overstated"
    r"|inflated|false|a bug|an error|outdated|obsolete|not real|not valid|not true)\b"
)
_NAMELESS = STOP | word_set(
    "result results figure figures number numbers value values score scores measurement that this those these old "
    "earlier previous reported our its their only just"
)


def may_retract(newer: str, older: str) -> bool:
    """Tell whether the newer text calls a number wrong that the older text has.

    The two numbers may be about different things.
    """
    return max(len(newer), len(older)) <= LONGEST and retracts(newer, older, is_sure=False)


def retracts(newer: str, older: str, *, is_sure: bool = True) -> bool:
    """Tell whether the newer text says that a number in the older one was wrong: "the 0.80 AUC was leakage".

    If the newer text names what the number measured ("AUC"), the older text must have all of these words. If it names
    only the number, the number must be distinctive (0.80, not 12). If `is_sure` is set, the older text must then also
    be about a result.
    """
    retractions = find_retractions(newer)
    words = set(split_words(older)) if retractions else set()
    for about, value in retractions:
        is_there = any(_same_number(value, match.group()) for match in _FIGURE.finditer(older))
        if not is_there or not about <= words:
            continue
        if about or (_is_distinctive(value) and (not is_sure or WORDS["results"] & words)):
            return True
    return False


def _is_distinctive(number: str) -> bool:
    """Tell whether a number is unlikely to occur in another meaning: 0.80 is, 12 is not."""
    digits = number.rstrip("%").replace(".", "").replace(",", "").lstrip("0")
    return len(digits) > 1 and not number.isdigit()


# Cached, because one text is compared with many.
@lru_cache(maxsize=16)
def find_retractions(text: str) -> tuple[tuple[frozenset[str], str], ...]:
    """Return the numbers that a text calls wrong, each after the words for what it measured.

    For "the 0.80 AUC was leakage", these are {"auc"} and "0.80".
    """
    found = []
    for sentence in split_sentences(" ".join(text.lower().split())):
        if sentence.endswith("?") or not WORDS["unreadable"].isdisjoint(split_words(sentence)):
            continue
        verb = _VERB.search(sentence)
        if verb is None or not _WRONG.search(sentence, verb.end()):
            continue
        subject = sentence[: verb.start()]
        numbers = [match.group() for match in _FIGURE.finditer(subject)]
        if len(numbers) == 1:
            rest = subject.replace(numbers[0], " ")
            about = frozenset(word for word in split_words(rest) if word not in _NAMELESS and not word.isdigit())
            found.append((about, numbers[0]))
    return tuple(found)


def _same_number(one: str, other: str) -> bool:
    """Tell whether two numbers in text form are equal. Those with several dots, such as versions, must be identical."""
    if one == other:
        return True
    if one.endswith("%") != other.endswith("%") or one.count(".") > 1 or other.count(".") > 1:
        return False
    return float(one.rstrip("%").replace(",", "")) == float(other.rstrip("%").replace(",", ""))
