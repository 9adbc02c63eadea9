"""Recognise memories that the host tells its model itself, from notes of its own; they are not told twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limpet.text.negation import has_denial
from limpet.text.words import STOP, split_words

_LEAST_WORDS = 3
_ENOUGH = 0.85
"""The share of a memory's words that a note must have to say the same."""
_BEGINS = ("-", "*", "+", "#", ">", "|")


def split_notes(text: str) -> list[frozenset[str]]:
    """Return the words of each note: a bullet, a heading or a paragraph, with the lines that continue it."""
    return [words for words in (_meaningful(note) for note in _join_lines(text)) if len(words) >= _LEAST_WORDS]


def is_noted(content: str, notes: Sequence[frozenset[str]]) -> bool:
    """Tell whether one of the notes says what a memory says: nearly all of its words, every number, and no less.

    A note that denies what the memory states, or the other way round, says something else.
    """
    words = _meaningful(content)
    if len(words) < _LEAST_WORDS:
        return False
    numbers = {word for word in words if any(letter.isdigit() for letter in word)}
    is_denied = has_denial(words)
    return any(
        numbers <= note and len(words & note) >= _ENOUGH * len(words) and has_denial(note) is is_denied
        for note in notes
    )


def _meaningful(text: str) -> frozenset[str]:
    return frozenset(word for word in split_words(text) if word not in STOP)


def _join_lines(text: str) -> Iterator[str]:
    note: list[str] = []
    for line in text.splitlines():
        plain = line.strip()
        if not plain or plain.startswith(_BEGINS):
            yield " ".join(note)
            note = []
        if plain:
            note.append(plain)
    yield " ".join(note)
