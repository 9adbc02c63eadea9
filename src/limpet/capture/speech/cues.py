"""Find the phrases of the cue table in a text.

Cues are phrases that people and agents use when something is worth keeping, such as "from now on" for a rule.
"""

from __future__ import annotations

from functools import cache

from limpet.capture.meaning import Meaning
from limpet.capture.tables import load_table
from limpet.lean.pattern import lazy
from limpet.text.tables import Row
from limpet.text.words import HANGUL, UNSPACED

_TABLE = "speech/cues"
# In Korean, endings stick to the words, so its cues are searched like those of the two without spaces.
_UNSPACED = ("zh", "ja", "ko")
_UNSPACED_SCRIPT = lazy(rf"[{UNSPACED}{HANGUL}]")


def list_cues(row: Row) -> tuple[Meaning, str, list[str]]:
    """Return the meaning, the language and the cue phrases of a row of the cue table."""
    meaning, _, language = row.name.rpartition(" ")
    return Meaning(meaning), language, [cue.strip() for cue in row.contents.replace("\n", " ").split(" | ")]


def find_cues(line: str) -> list[tuple[Meaning, str]]:
    """Return the cue phrases in a line, each with its meaning. A phrase includes the spaces around it.

    The line must have one space before and after each word.
    """
    cues = _index_spaced_cues()
    return [pair for first in ("", *set(line.split())) for pair in cues.get(first, ()) if pair[1] in line]


def find_unspaced_cues(text: str) -> list[tuple[Meaning, str]]:
    """Return the Chinese, Japanese and Korean cue phrases in a text, each with its meaning."""
    if text.isascii() or _UNSPACED_SCRIPT.search(text) is None:
        return []
    return [pair for pair in _list_unspaced_cues() if pair[1] in text]


@cache
def _index_spaced_cues() -> dict[str, list[tuple[Meaning, str]]]:
    """Return the cue phrases by their first word, so that a search can skip those whose first word is not in the text.

    Cues that consist of a single word stem are listed under an empty key.
    """
    found: dict[str, list[tuple[Meaning, str]]] = {}
    for meaning, language, cues in map(list_cues, load_table(_TABLE).values()):
        if language in _UNSPACED:
            continue
        for cue in cues:
            is_stem = cue.endswith("*")
            first = "" if is_stem and " " not in cue else cue.split()[0]
            found.setdefault(first, []).append((meaning, f" {cue[:-1]}" if is_stem else f" {cue} "))
    return found


@cache
def _list_unspaced_cues() -> list[tuple[Meaning, str]]:
    rows = map(list_cues, load_table(_TABLE).values())
    return [(meaning, cue) for meaning, language, cues in rows if language in _UNSPACED for cue in cues]
