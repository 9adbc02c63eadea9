"""Read the words after a label in a sentence, and tell which of them describe something."""

from __future__ import annotations

from limpet.secrets.rules import compile_once
from limpet.secrets.stated_words import DESCRIBES, ENDINGS, ENDS, GERMAN_ENDINGS, GOES_ON, NOUNS, PARTICIPLE, TRAILING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.secrets.scan import Scan

__all__ = ["LEAST_WORD", "Clause", "describes", "fold", "is_word"]

LEAST_WORD = 4
_MOST_READ = 160


def fold(text: str, low: str) -> str:
    """Return a text in lower case, in which every position is the same; `low` has only its ASCII letters folded."""
    plain = low if text.isascii() else text.lower()
    return plain if len(plain) == len(text) else low


class Clause:
    """The words after a label on its line, with their positions in the text."""

    def __init__(self, scan: Scan, start: int) -> None:
        end = scan.text.find("\n", start, start + _MOST_READ)
        self.text = scan.text
        self.end = min(len(scan.text), start + _MOST_READ) if end < 0 else end
        self.words: list[tuple[int, str]] = []
        at = start
        for word in scan.text[start : self.end].split():
            at = scan.text.index(word, at)
            self.words.append((at, word))
            at += len(word)

    def plain(self, number: int) -> str:
        """Return a word in lower case and without punctuation; an empty string if there are not so many words."""
        if number >= len(self.words):
            return ""
        word = self.words[number][1]
        return word.casefold().strip(TRAILING + "([{“„‘«「") or word

    def closes(self, number: int) -> bool:
        """Tell whether a clause ends after a word."""
        word = self.words[number][1]
        if word[-1] in ENDS or number + 1 == len(self.words):
            return True
        following = self.words[number + 1][1]
        return following[0] in "([-–—/|" or self.plain(number + 1) in GOES_ON


def is_word(value: str, label: str = "") -> bool:
    """Tell whether a word may be a password: letters, also with hyphens, that do not describe one."""
    plain = value.replace("-", "")
    return (
        plain.isalpha() and len(plain) >= LEAST_WORD and not describes(value.casefold(), label) and not value.isupper()
    )


def describes(low: str, label: str = "", known: frozenset[str] = DESCRIBES) -> bool:
    """Tell whether a word describes something, by the list or by its ending in the language of the label."""
    if low in known:
        return True
    if label in ("passwort", "kennwort"):
        return low.endswith(GERMAN_ENDINGS) or compile_once(PARTICIPLE).match(low) is not None
    return low.endswith(ENDINGS) and low not in NOUNS
