"""Check text that a language model has written, before it is used.

A text is rejected if it has the wrong form, contains a name or number that its source lacks, says the opposite of its
source, or reads like an instruction to a model. A model may only restate what its source says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from limpet.errors import ModelFailed
from limpet.guard.engine import find_signs
from limpet.lean.pattern import lazy
from limpet.llm.protocol import Reply
from limpet.llm.reply import read_objects
from limpet.text.replacement import contradicts
from limpet.text.words import HANGUL, UNSPACED, word_set

SHORTEST = 10
"""The default minimum length of a text, in characters."""
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
"""The first parts of ordinary hyphenated words, such as "non-existent". Other hyphenated words may be package names."""
_ABBREVIATIONS = word_set("e.g i.e a.m p.m z.b d.h u.a p.ex p.ej")


def read_object(reply: Reply) -> dict[str, Any]:
    """Return the single JSON object in a reply.

    Raise ModelFailed if the reply was cut off or does not contain exactly one object.
    """
    if reply.is_cut:
        raise ModelFailed("the reply was cut")
    objects = read_objects(reply.text, lambda reason: None, most=2)
    if len(objects) != 1:
        raise ModelFailed("the reply is not one JSON object")
    return objects[0]


def read_text_field(answer: Mapping[str, Any], name: str) -> str:
    """Return a field of an answer as a one-line string. Raise ModelFailed if the field is not a valid string."""
    value = answer.get(name)
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ModelFailed(f"{name} is not a text")
    return " ".join(value.split())


def check_text(text: str, source: str, *, most: int, least: int = SHORTEST) -> str:
    """Return `text` unchanged if it may be used. Raise ModelFailed otherwise.

    The text must have at least `least` and at most `most` characters. It must not contain control characters or a name
    or number that `source` lacks, contradict `source`, or read like an instruction to a model.
    """
    if not least <= len(text) <= most:
        raise ModelFailed("the text is too short or too long")
    if not text.isprintable():
        raise ModelFailed("the text has control characters")
    if adds_names(text, source):
        raise ModelFailed("the text has a name or number that its source does not have")
    # A false alarm does little harm: the caller then makes the text without a model.
    if find_signs(text):
        raise ModelFailed("the text reads like an order to a model")
    if contradicts(text, source):
        raise ModelFailed("the text says the opposite of its source")
    return text


def is_quoted(quote: str, source: str) -> bool:
    """Tell whether a quote occurs in a source.

    Differences in case, spacing and typographic quotation marks are ignored. A quote that is too short is never
    accepted.
    """
    return len(quote.strip()) >= _SHORTEST_QUOTE and _normalise(quote) in _normalise(source)


def _normalise(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split()).casefold()


def adds_names(text: str, source: str) -> bool:
    """Tell whether a text contains a number, identifier, path or abbreviation that its source lacks.

    A new combination of words, such as `user-table`, is accepted if the source has each of its words.
    """
    folded = source.casefold()
    names = (match[0].strip(".,:-/").casefold() for match in _NAMES.finditer(text))
    missing = [name for name in names if not _occurs(name, folded) and not _is_ordinary(name)]
    words = set(_PARTS.findall(folded)) if missing else set()
    return any(part.isdigit() or part not in words for name in missing for part in _PARTS.findall(name))


def _occurs(name: str, folded: str) -> bool:
    """Tell whether a name occurs in a text that is in lower case.

    A number must not be preceded or continued by other digits: "5" does not occur in "15" or "1.5", but "3" occurs in
    "3.11".
    """
    if name in folded and not (name[:1].isdigit() or name[-1:].isdigit()):
        return True
    before = r"(?<!\d)(?<!\d[.,:])" if name[:1].isdigit() else ""
    after = r"(?!\d)(?![,:]\d)" if name[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(name)}{after}", folded) is not None


def _is_ordinary(name: str) -> bool:
    """Tell whether a name is a common abbreviation or an ordinary hyphenated word."""
    return name in _ABBREVIATIONS or (name.replace("-", "").isalpha() and name.split("-")[0] in _PREFIXES)
