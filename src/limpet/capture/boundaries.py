"""Where the work turns to something else: the words of the last few observations against those of the next.

The twelve most frequent keywords of a sliding window of five are compared with the twelve of the next text; a Jaccard
index under 0.25 is a context shift, and the window starts afresh with the text that caused it. A first text shifts
nothing, and a short one says too little either way.
"""

from __future__ import annotations

from collections import Counter

from limpet.lean.record import record
from limpet.text.words import STOP, listed, words

SHORTEST = 30
_READ = 1200
_COUNTED = 30  # keywords remembered of one text, so that those of the window can be counted together

# Words of every task and words of code: they tell what is done with a thing, not which thing it is.
_COMMON = listed(
    "not no can will would should could must may please let now just also all any some more most other new old "
    "one two use using used get set make run add see need want like do does did done don't i'll let's what "
    "when where why how which here out up down over after before then only than about file files line lines "
    "code true false none null error errors test tests src lib app npm npx pnpm yarn git commit pytest python "
    "node cargo main master fail failed fails pass passed passes expected received import export const "
    "function async await return class def self this let var type string number void public private static fix "
    "fixed change changed bin usr home tmp dev bash exit tsx jsx json yml yaml toml instead first last next "
    "still back into very"
)


@record
class Window:
    """The keywords of the last texts, the oldest first, each with its count."""

    texts: tuple[tuple[tuple[str, int], ...], ...] = ()


def keywords(text: str, most: int = 12) -> tuple[str, ...]:
    """The most frequent words that mean something; a path and a name count by their parts."""
    return tuple(word for word, _ in _counted(text)[:most])


def detect_shift(
    window: Window, text: str, *, width: int = 5, most: int = 12, shift: float = 0.25
) -> tuple[Window, str]:
    """The window with `text` in it, and a sentence if that text began something else."""
    if len(text) < SHORTEST:
        return window, ""
    counted = _counted(text)
    if not counted:
        return window, ""
    if not window.texts:
        return Window(texts=(counted[:_COUNTED],)), ""
    before = _top(window, most)
    after = tuple(word for word, _ in counted[:most])
    if jaccard(before, after) < shift:
        return Window(texts=(counted[:_COUNTED],)), f"from {', '.join(before[:5])} to {', '.join(after[:5])}"
    return Window(texts=(*window.texts, counted[:_COUNTED])[-width:]), ""


def extend_window(window: Window, text: str, *, width: int = 5) -> Window:
    """The window with `text` in it, whatever it is about: a terse answer belongs to what it answers."""
    counted = _counted(text)
    if not window.texts or not counted:
        return window
    return Window(texts=(*window.texts, counted[:_COUNTED])[-width:])


def jaccard(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    both = set(a) | set(b)
    return len(set(a) & set(b)) / len(both) if both else 1.0


def _top(window: Window, most: int) -> tuple[str, ...]:
    together: Counter[str] = Counter()
    for text in window.texts:
        for word, count in text:
            together[word] += count
    return tuple(word for word, _ in sorted(together.items(), key=lambda pair: (-pair[1], pair[0]))[:most])


def _counted(text: str) -> tuple[tuple[str, int], ...]:
    plain = text[:_READ].translate(_APART)
    found = Counter(
        word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word
        for word in words(plain)
        if (len(word) > 2 or not word.isascii()) and not word.isdigit() and word not in STOP and word not in _COMMON
    )
    return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


# Names in code and paths are made of words; these hold them together.
_APART = str.maketrans("/\\_.-:=\"'`()[]{}<>,;", " " * 20)
