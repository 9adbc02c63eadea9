"""Find and remove the parts of a text that repeat given texts word for word, such as the texts of purged memories.

Files may quote a text shortened, on one line or with escaped characters. So sequences of words are compared, and the
characters between them are ignored. A part is a trace if it has four successive words of a given text, at least three
of which are not stop words. A given text that is shorter is found only where it is the whole content of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences
from limpet.text.words import STOP, UNSPACED

_ELLIPSES = ("…", "...")
_GRAM = 3
_LONG, _MEANING = 4, 3
"""The minimum numbers of words, and of words that are not stop words, in a trace."""
_MOST_PLACES = 16
_WORD = lazy(rf"&#?\w{{1,10}};|([{UNSPACED}]|[^\W_{UNSPACED}]++)")
_RAW_WORD = lazy(rf"\\u[0-9a-fA-F]{{4}}|\\.|&#?\w{{1,10}};|([{UNSPACED}]|[^\W_{UNSPACED}]++)")
"""A word in raw JSON text, in which a backslash begins an escape sequence."""
_AFTER = lazy(r"[.!?…,;:]*+[ \t]?+")
_MARKUP = lazy(r"(?s)\W*+(?:\d{1,3}[.)])?+\W*+(?:open:)?+\W*+(?:\d{1,6} observations?+\)?+)?+\W*+")
"""What may be left of a line whose text was removed: its bullet, and the number of observations of a preference."""


class Traces:
    """A finder of the parts of a text that repeat one of the given texts.

    `words` is the set of all words in the given texts, except stop words.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._sequences: list[list[str]] = []
        self._places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        self._short: set[tuple[str, ...]] = set()
        for text in dict.fromkeys(texts):
            sentences = (sentence for line in text.splitlines() for sentence in (line, *split_sentences(line)))
            for part in dict.fromkeys((text, *sentences)):
                self._add([word for word, _, _ in _find_words(part)])
        self.words = frozenset(word for sequence in self._sequences for word in sequence) - STOP

    def _add(self, words: list[str]) -> None:
        if len(words) < _LONG or len({*words} - STOP) < _MEANING:
            self._short.add(tuple(words))
        number = len(self._sequences)
        self._sequences.append(words)
        for at in range(len(words) - _GRAM + 1):
            places = self._places.setdefault(tuple(words[at : at + _GRAM]), [])
            if len(places) < _MOST_PLACES:
                places.append((number, at))

    def erase(self, text: str, *, is_escaped: bool = False) -> str:
        """Return a text without the parts that repeat one of the given texts, and without lines that become empty.

        If `is_escaped` is set, a backslash begins an escape sequence, as in JSON.
        """
        spans = self._find_spans(text, is_escaped)
        return _cut(text, spans) if spans else text

    def finds_in(self, text: str) -> bool:
        """Tell whether a text repeats a part of one of the given texts."""
        return bool(self._find_spans(text, False))

    def _find_spans(self, text: str, is_escaped: bool) -> list[tuple[int, int]]:
        """Return the start and the end of each part that repeats a given text, in the order of the text."""
        words = _find_words(text, is_escaped=is_escaped)
        plain = [word for word, _, _ in words]
        spans: list[tuple[int, int]] = []
        at = skipped = 0
        while at < len(words):
            length, following = self._measure(plain, at)
            if length < _LONG or len({*plain[at : at + length]} - STOP) < _MEANING:
                skipped = max(1, length - _LONG)
                length = self._measure_short(plain, at, words, text)
            elif at + length < len(words) and following.startswith(plain[at + length]):
                # A shortened text may end within a word, followed by an ellipsis.
                length += text.startswith(_ELLIPSES, words[at + length][2])
            if length:
                spans.append((words[at][1], words[at + length - 1][2]))
            at += length or skipped
        return spans

    def _measure(self, words: Sequence[str], at: int) -> tuple[int, str]:
        """Return how many words from the position `at` on occur in a row in a given text, and the next word there.

        The next word is an empty string at the end of the given text.
        """
        longest, following = 0, ""
        for number, place in self._places.get(tuple(words[at : at + _GRAM]), ()):
            sequence, length = self._sequences[number], _GRAM
            while (
                place + length < len(sequence)
                and at + length < len(words)
                and sequence[place + length] == words[at + length]
            ):
                length += 1
            if length > longest:
                longest, following = length, sequence[place + length] if place + length < len(sequence) else ""
        return longest, following

    def _measure_short(self, words: Sequence[str], at: int, places: Sequence[tuple[str, int, int]], text: str) -> int:
        """Return the number of words of the line that begins at the word `at`, if it is a short given text, else 0."""
        start = places[at][1]
        begin = text.rfind("\n", 0, start) + 1
        if at and places[at - 1][2] > begin:
            return 0
        end = text.find("\n", start)
        last = at
        while last < len(places) and (end < 0 or places[last][1] < end):
            last += 1
        return last - at if tuple(words[at:last]) in self._short else 0


def _find_words(text: str, *, is_escaped: bool = False) -> list[tuple[str, int, int]]:
    """Return the words of a text, case-folded, each with its start and end; HTML entities are left out."""
    pattern = _RAW_WORD if is_escaped else _WORD
    return [(match[1].casefold(), match.start(), match.end()) for match in pattern.finditer(text) if match[1]]


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text without the parts at `spans`, and without the punctuation after each part."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        between = text[done:start]
        # Punctuation between two adjacent parts is removed too.
        if not (parts and "\n" not in between and not any(char.isalnum() for char in between)):
            parts.append(between)
        found = _AFTER.match(text, end)
        done = found.end() if found else end
    return _drop_empty_lines(text, "".join((*parts, text[done:])))


def _drop_empty_lines(before: str, after: str) -> str:
    """Return the text `after` without lines that have no words and were not in the text `before`."""
    old = set(before.splitlines(keepends=True))
    return "".join(line for line in after.splitlines(keepends=True) if line in old or not _MARKUP.fullmatch(line))
