"""Tell whether a word or phrase is denied by the words before it.

A list of words is read backwards from the word in question; running text is searched right before a match. Both use the
same words of denial; a caller whose subject has more of them ("avoid", "rather than") passes them in.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.text.words import word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

__all__ = ["has_denial", "is_denial", "is_negated", "negation_before"]

_FIRM = ("never", "not", "no", "nobody", "cannot")
_DENIALS = word_set("without nothing none neither nor hardly") | frozenset(_FIRM)
_CLAUSE_ENDS = frozenset(".,:;!?\n")


def is_denial(word: str, more: frozenset[str] = frozenset()) -> bool:
    """Tell whether the word, in lower case, denies what follows it."""
    return word in _DENIALS or word in more or word.endswith("n't")


def has_denial(words: Iterable[str], more: frozenset[str] = frozenset()) -> bool:
    """Tell whether any of the words is a negation."""
    found = set(words)
    return not (found.isdisjoint(_DENIALS) and found.isdisjoint(more)) or any(word.endswith("n't") for word in found)


def is_negated(words: Sequence[str], at: int, more: frozenset[str] = frozenset()) -> bool:
    """Tell whether the word at `at` is denied by one of the three before it, within its clause."""
    for back in range(at - 1, max(at - 4, -1), -1):
        word = words[back]
        if word in _CLAUSE_ENDS:
            return False
        if is_denial(word, more):
            return words[back + 1] not in {"only", "just"}
    return False


def negation_before(*more: str, reach: int, ends: str = ".!?;:") -> re.Pattern[str]:
    """Return a pattern that finds a denial at the end of the text before a match.

    `more` are further words of denial as parts of a pattern. At most `reach` characters may follow the denial, and none
    of them may be one of `ends`.
    """
    return lazy(rf"\b(?:{'|'.join((*_FIRM, *more))})\b[^{ends}]{{0,{reach}}}$")
