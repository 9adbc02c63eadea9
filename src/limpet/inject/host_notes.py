"""Recognise memories that repeat the host's own notes, which the host itself gives to its model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from limpet.text.negation import has_denial
from limpet.text.words import STOP, split_words

_LEAST_WORDS = 3
_MOST_NOTES = 400
_ENOUGH = 0.85
"""The minimum share of a memory's words that a note must contain to say the same."""
_BEGINS = ("-", "*", "+", "#", ">", "|", "<")


def split_notes(text: str) -> list[frozenset[str]]:
    """Split a text into notes, each a bullet, a heading or a paragraph, and return the meaningful words of each.

    Only the first `_MOST_NOTES` notes are returned, because a host is waiting and comparing them takes time.
    """
    notes = (words for words in map(_find_meaningful, _join_lines(text)) if len(words) >= _LEAST_WORDS)
    return list(islice(notes, _MOST_NOTES))


def is_in_notes(content: str, notes: Sequence[frozenset[str]]) -> bool:
    """Tell whether one of the notes says the same as a memory.

    The note must contain nearly all of the memory's words and all of its numbers, and either both or neither must have
    a negation.
    """
    words = _find_meaningful(content)
    if len(words) < _LEAST_WORDS:
        return False
    numbers = {word for word in words if any(letter.isdigit() for letter in word)}
    is_denied = has_denial(words)
    return any(
        numbers <= note and len(words & note) >= _ENOUGH * len(words) and has_denial(note) is is_denied
        for note in notes
    )


def split_statements(text: str) -> frozenset[tuple[str, ...]]:
    """Return the words of each note in a text, in their order."""
    return frozenset(map(to_statement, _join_lines(text)))


def to_statement(content: str) -> tuple[str, ...]:
    """Return the words of a text in their order. Two texts with the same words in the same order say the same."""
    return tuple(split_words(content))


def _find_meaningful(text: str) -> frozenset[str]:
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
