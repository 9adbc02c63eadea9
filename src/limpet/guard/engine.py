"""Tell whether a text gives orders to a model, however it is spelt, and by which signs.

Detection is the second line of defence: the origin of a memory decides first, and everything is shown neutralised
anyway. Few signs are certain (`rules`): they withhold a memory. Everything else is one fitted score (`classifier`): a
text above its threshold is odd, and is quoted rather than withheld, because a wrong alarm must cost little.

Very long texts are read at both ends and around the words that matter, so that the cost is bounded.
"""

from __future__ import annotations

from limpet.guard.classifier import is_odd
from limpet.guard.neutral import remove_hidden
from limpet.guard.rules import find_phrases, find_tricks
from limpet.guard.signs import ENCODED, ODD
from limpet.guard.spellings import decode_parts, respell, simplify

__all__ = ["find_signs"]

_WHOLE = 10_000
"""Characters up to which a text is read from end to end; of a longer one, about as many are read."""
_AROUND = 300


def find_signs(text: str) -> tuple[str, ...]:
    """Return the names of the signs found, certain ones first; none means that the text is honest."""
    text = _select_parts(text)
    found = find_tricks(text)
    text = remove_hidden(text)
    spellings = respell(text)
    for spelling in spellings:
        found += find_phrases(spelling)
    for part in map(simplify, decode_parts(text)):
        if find_phrases(part) or is_odd(part):
            found.append(ENCODED)
    if is_odd(text) or any(map(is_odd, spellings[1:])):
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
    """Return what of a very long text is read: its ends, and the surroundings of words that orders are made of."""
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
