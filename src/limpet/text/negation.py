"""Tell whether a word or phrase is negated by the words before it.

A caller can add negations to those that all use, such as "avoid" and "rather than".
"""

from __future__ import annotations

from limpet.text.words import word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DENIALS = word_set("never not no nobody cannot without nothing none neither nor hardly")
FOREIGN_DENIALS = word_set(
    "nicht kein keine keinen nie niemals ohne ne pas jamais aucun sans nunca jamás sin não nem sem non senza не нет "
    "никогда без"
)
"""Negations in other languages. "Mai" is left out, because it is also a month."""
_CLAUSE_ENDS = frozenset(".,:;!?\n")


def is_denial(word: str, more: frozenset[str] = frozenset()) -> bool:
    """Tell whether a lower-case word is a negation. `more` contains further negations."""
    return word in _DENIALS or word in more or word.endswith("n't")


def has_denial(words: Iterable[str], more: frozenset[str] = frozenset()) -> bool:
    """Tell whether one of these lower-case words is a negation. `more` contains further negations."""
    found = set(words)
    return not (found.isdisjoint(_DENIALS) and found.isdisjoint(more)) or any(word.endswith("n't") for word in found)


def is_negated(words: Sequence[str], at: int, more: frozenset[str] = frozenset()) -> bool:
    """Tell whether one of the three words before the word at `at`, in the same clause, is a negation.

    The words must be in lower case, and punctuation marks count as words. `more` contains further negations.
    """
    for back in range(at - 1, max(at - 4, -1), -1):
        word = words[back]
        if word in _CLAUSE_ENDS:
            return False
        if is_denial(word, more):
            return words[back + 1] not in {"only", "just"}
    return False
