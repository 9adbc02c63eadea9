"""Leave out of the summary of a session what its model is told anyway, so that one event is told once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.inject.host_notes import is_in_notes, split_notes
from limpet.inject.select import SelectedMemory
from limpet.lean.pattern import lazy
from limpet.lean.record import replace
from limpet.text.excerpt import list_sentences
from limpet.text.words import split_words

_HEADING = lazy(r"[A-Z][a-z' ]{2,30}: ")
_OPEN = "Open: "
"""The heading of what is still to be done, which is never left out: a memory does not say that its matter is open."""
_SPEAKER = "The agent reported: "
_NAMES = ("Files changed: ", "Also drew on ")
"""The beginnings of lines that only list names. A summary of nothing else says nothing."""


class Told:
    """What a model is told besides summaries: the texts of memories, and the host's own notes."""

    def __init__(self, texts: Iterable[str], notes: Sequence[frozenset[str]] = ()) -> None:
        self._runs: list[str] = []
        self._notes = list(notes)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self._runs.append(_join_words(text))
        self._notes += split_notes(text)

    def has(self, sentence: str) -> bool:
        """Tell whether a sentence, or nearly the same words, are among what is told."""
        words = _join_words(sentence)
        return any(words in run for run in self._runs) or is_in_notes(sentence, self._notes)


def _join_words(text: str) -> str:
    return f" {' '.join(split_words(text))} "


def shorten_summary(item: SelectedMemory, told: Told) -> SelectedMemory | None:
    """Return a summary without the sentences that are told anyway; None if no sentence is left."""
    paragraphs = [
        "\n".join(filter(None, (_shorten_line(line, told) for line in paragraph.split("\n"))))
        for paragraph in item.passed.text.split("\n\n")
    ]
    if not any(each and not each.startswith(_NAMES) for each in paragraphs):
        return None
    return replace(item, passed=replace(item.passed, text="\n\n".join(filter(None, paragraphs))))


def _shorten_line(line: str, told: Told) -> str:
    found = _HEADING.match(line)
    heading = found[0] if found else ""
    if heading == _OPEN or line.startswith(_NAMES):
        return line
    sentences = list_sentences(line[len(heading) :])
    left = [each for each in sentences if not told.has(each)]
    # A heading belongs to the sentences up to the next one that names its speaker.
    if left and left[0] != sentences[0] and left[0].startswith(_SPEAKER):
        heading = ""
    return heading + " ".join(left) if left else ""
