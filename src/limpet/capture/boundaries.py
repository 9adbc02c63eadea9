"""Detect a change of subject in a session, by comparing the keywords of each new text with those of the last few.

The twelve most frequent keywords of the last five texts are compared with those of the new text. If the Jaccard index
is below 0.25, the subject has changed, and the window keeps only the new text. The first text never counts as a change.
Texts of fewer than 30 characters are ignored.
"""

from __future__ import annotations

from collections import Counter

from limpet.capture.tables import word_list
from limpet.lean.record import record
from limpet.text.similarity import overlap
from limpet.text.words import STOP, split_words

SHORTEST = 30
KEYWORDS = 12
_WIDTH = 5  # texts in the window
_SHIFT = 0.25
_LONGEST = 1200
_KEPT_PER_TEXT = 30  # keywords kept of one text, so that those of the window can be counted together

# Words of every task and words of code: they say what is done with a thing, not which thing it is.
_COMMON = word_list("boundaries", "common words")


@record
class Window:
    """A sliding window over a session: the keywords of the last few texts with their counts, oldest text first."""

    texts: tuple[tuple[tuple[str, int], ...], ...] = ()


def rank_keywords(text: str, most: int = KEYWORDS) -> tuple[str, ...]:
    """Return the meaningful words of a text, most frequent first and at most `most` of them.

    Paths and snake_case names are split into words first.
    """
    return tuple(word for word, _ in _count_keywords(text)[:most])


def detect_shift(window: Window, text: str) -> tuple[Window, str]:
    """Add `text` to the window. Return the window and a description of the change of subject.

    The description is an empty string if the subject stays the same. The subject changes if the keywords of the text
    and of the window have a Jaccard index below `_SHIFT`.
    """
    if len(text) < SHORTEST:
        return window, ""
    counted = _count_keywords(text)
    if not counted:
        return window, ""
    if not window.texts:
        return Window(texts=(counted[:_KEPT_PER_TEXT],)), ""
    before = _most_frequent(window)
    after = tuple(word for word, _ in counted[:KEYWORDS])
    if overlap(set(before), set(after)) < _SHIFT:
        return Window(texts=(counted[:_KEPT_PER_TEXT],)), f"from {', '.join(before[:5])} to {', '.join(after[:5])}"
    return Window(texts=(*window.texts, counted[:_KEPT_PER_TEXT])[-_WIDTH:]), ""


def extend_window(window: Window, text: str) -> Window:
    """Return the window with `text` added, without comparing it.

    This is used for texts that cannot change the subject, such as a short answer or an agent's message.
    """
    counted = _count_keywords(text)
    if not window.texts or not counted:
        return window
    return Window(texts=(*window.texts, counted[:_KEPT_PER_TEXT])[-_WIDTH:])


def _most_frequent(window: Window) -> tuple[str, ...]:
    together: Counter[str] = Counter()
    for text in window.texts:
        for word, count in text:
            together[word] += count
    return tuple(word for word, _ in sorted(together.items(), key=lambda pair: (-pair[1], pair[0]))[:KEYWORDS])


def _count_keywords(text: str) -> tuple[tuple[str, int], ...]:
    plain = text[:_LONGEST].translate(_SEPARATORS)
    found = Counter(
        word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word
        for word in split_words(plain)
        if (len(word) > 2 or not word.isascii()) and not word.isdigit() and word not in STOP and word not in _COMMON
    )
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


# Names in code and paths are made of words; these hold them together.
_SEPARATORS = str.maketrans("/\\_.-:=\"'`()[]{}<>,;", " " * 20)
