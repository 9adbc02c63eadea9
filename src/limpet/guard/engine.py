"""Find the signs that a text gives orders to a model, in every spelling of the text.

Detection is the second line of defence: the origin of a memory decides first, and every text is neutralised before it
is shown. A few signs are certain (`rules`), and a memory with one of them is withheld. Everything else is a single
fitted score (`classifier`). A text above its threshold is odd. It is quoted instead of withheld, so that a false alarm
does little harm.

Of a very long text, only both ends and the parts around words that occur in orders are read, so that the cost is
bounded.
"""

from __future__ import annotations

from limpet.guard.classifier import resembles_order
from limpet.guard.neutral import remove_hidden
from limpet.guard.rules import find_phrases, find_tricks
from limpet.guard.signs import ENCODED, ODD
from limpet.guard.spellings import decode_parts, is_disguised, respell, simplify
from limpet.lean.pattern import lazy

# A command with an address, a pipe or an option. It is searched in decoded text only.
_COMMAND = lazy(
    r"\b(?:curl|wget|nc|bash|sh|powershell|iex|iwr|rm|chmod|sudo|eval|exec|system|scp|ssh|crontab|kubectl|git|pip|npm)"
    r"\b.{0,80}?(?:://|[|(]| -)"
)
_WHOLE = 10_000
"""A text of at most this many characters is read completely. Of a longer text, about this many are read."""
_AROUND = 300


def find_signs(text: str) -> tuple[str, ...]:
    """Return the names of the signs that a text gives orders to a model, certain signs first."""
    text = _select_parts(text)
    found = find_tricks(text)
    text = remove_hidden(text)
    spellings = respell(text)
    for spelling in spellings:
        found += find_phrases(spelling)
    for part in map(simplify, decode_parts(text)):
        if find_phrases(part) or _COMMAND.search(part) is not None or resembles_order(part):
            found.append(ENCODED)
    if resembles_order(text) or any(map(resembles_order, spellings[1:])) or is_disguised(text):
        found.append(ODD)
    return tuple(dict.fromkeys(found))


_TELLING = (
    "nstruction",
    "gnore ",
    "isregard",
    "ystem prompt",
    "ou are now",
    "ou must",
    "o not tell",
    "ithout telling",
    "rom now on",
    "ssistant",
    "http",
    "| sh",
    "| bash",
)


def _select_parts(text: str) -> str:
    """Return the part of a text that is searched for instructions to a model.

    For a very long text, this is the beginning, the end, and the context of words that are typical of instructions.
    """
    if len(text) <= _WHOLE:
        return text
    parts = [text[: _WHOLE // 4], text[-_WHOLE // 4 :]]
    room = _WHOLE // 2
    for word in _TELLING:
        at = text.find(word)
        share = _WHOLE // 2 // len(_TELLING)
        while at >= 0 and share > 0 and room > 0:
            part = text[max(0, at - _AROUND // 2) : at + _AROUND]
            parts.append(part)
            share -= len(part)
            room -= len(part)
            at = text.find(word, at + _AROUND)
    return "\n".join(parts)
