"""The checks that every text of a model has to pass before code uses it.

A text must be in the right form, must bring no name and no number that its source does not have, and must not read like
an order to whoever reads it later: what a model writes is a statement about its source.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.errors import ModelFailed
from limpet.guard.engine import find_signs
from limpet.lean.pattern import lazy
from limpet.llm.protocol import Reply
from limpet.llm.reply import read_objects
from limpet.text.words import HANGUL, UNSPACED, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHORTEST = 10
"""A text of fewer characters says nothing."""
_SHORTEST_QUOTE = 6

# Japanese, Chinese and Korean put no space between a name and the next word.
_WORD = rf"[^\W{UNSPACED}{HANGUL}]"
_NAMES = lazy(
    r"\d+(?:[.,:]\d+)*+"  # numbers and versions
    rf"|[A-Za-z_$](?:{_WORD}|\$)*+(?:[./:\\@#-]++(?:{_WORD}|\$)++)++"  # paths, dotted names, addresses, packages
    rf"|[a-z$][a-z0-9$]*+[A-Z_]{_WORD}*+"  # camelCase, snake_case
    rf"|[A-Z][a-z0-9]++[A-Z]{_WORD}*+"  # PascalCase
    r"|[A-Z][A-Z0-9_]{3,}+"  # constants and long abbreviations
)
_PARTS = lazy(r"[^\W\d_]+|\d+")
_PREFIXES = word_set("non over under re pre post self well one two multi semi sub half full high low long short cross")
"""Words that begin an ordinary compound, such as "non-existent"; other compounds with a hyphen may be packages."""
_ABBREVIATIONS = word_set("e.g i.e a.m p.m z.b d.h u.a p.ex p.ej")


def read_object(reply: Reply) -> dict[str, Any]:
    """Return the one JSON object of a reply; raise ModelFailed if the reply is not one."""
    if reply.is_cut:
        raise ModelFailed("the reply was cut")
    objects = read_objects(reply.text, lambda reason: None, most=2)
    if len(objects) != 1:
        raise ModelFailed("the reply is not one JSON object")
    return objects[0]


def read_text_field(answer: Mapping[str, Any], name: str) -> str:
    """Return a text field on one line; raise ModelFailed if the field is not a text."""
    value = answer.get(name)
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ModelFailed(f"{name} is not a text")
    return " ".join(value.split())


def check_text(text: str, source: str, *, most: int, least: int = SHORTEST) -> str:
    """Return a text that may be used; raise ModelFailed otherwise.

    A text may be used if it is neither too short nor too long, is made of its source, and is no order.
    """
    if not least <= len(text) <= most:
        raise ModelFailed("the text is too short or too long")
    if not text.isprintable():
        raise ModelFailed("the text has control characters")
    if adds_names(text, source):
        raise ModelFailed("the text has a name or number that its source does not have")
    # A false alarm costs only that the text is made without a model.
    if find_signs(text):
        raise ModelFailed("the text reads like an order to a model")
    return text


def is_quoted(quote: str, source: str) -> bool:
    """Tell whether a source has the words of a quote, which must not be too short to prove anything."""
    return len(quote.strip()) >= _SHORTEST_QUOTE and _normalise(quote) in _normalise(source)


def _normalise(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split()).casefold()


def adds_names(text: str, source: str) -> bool:
    """Tell whether a text has a number, identifier, path or abbreviation that its source does not have.

    A compound is known if all of its parts are words of the source, unless a number is among them.
    """
    folded = source.casefold()
    names = (match[0].strip(".,:-/").casefold() for match in _NAMES.finditer(text))
    missing = [name for name in names if name not in folded and not _is_ordinary(name)]
    words = set(_PARTS.findall(folded)) if missing else set()
    return any(part.isdigit() or part not in words for name in missing for part in _PARTS.findall(name))


def _is_ordinary(name: str) -> bool:
    """Tell whether a name is an abbreviation or a compound of ordinary language."""
    return name in _ABBREVIATIONS or (name.replace("-", "").isalpha() and name.split("-")[0] in _PREFIXES)
