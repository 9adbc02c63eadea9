"""Score a value that may be a secret with a linear model: its form, its characters, and how common its words are.

`stated.bin` has the weights, one set for each form, and a Bloom filter of the words that are common in technical text:
names of things are made of them, and passwords hardly ever. `scripts/fit_stated.py` writes it.
"""

from __future__ import annotations

import os

from limpet.lean import quickjson
from limpet.lean.pattern import lazy
from limpet.secrets.values import has_unknown_part, is_hex, is_placeholder, is_technical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

WEIGHTS = os.path.join(os.path.dirname(__file__), "stated.bin")
FORMS = ("odd", "number", "word", "phrase")
NOTHING = float("-inf")
_MOST_KNOWN, _DIGEST = 5000, 36
CODE = frozenset("/\\()=<>[]{}|,`\"“”—–…→;:'")
"""Signs of code, which no secret in a sentence has."""
_DATE = lazy(r"(?:19|20)\d\d(?:-?[01]\d(?:-?[0-3]\d)?)?$|\d{1,2}[-.]\d{1,2}[-.]\d{2,4}$")
_NAME = lazy(r"[\w.+-]+@\w[\w-]*\.\w|(?:[\w-]+\.)+(?:[a-z]{2,4}|\d+)$|v?\d[\d.]*[a-z]{0,3}$|[a-z]+(?:_[a-z]+)+$")
_PART = lazy(r"[A-ZÀ-Þ]?[a-zß-ÿ]{2,}|[A-Z]{3,}")
_LETTERS, _NUMBER = lazy(r"[^\W\d_]+"), lazy(r"\d+")
_MIXED = lazy(r"[^\W\d_]\d+[^\W\d_]")
_SIGNS = frozenset("!$&%#^*~@+?")
_PRIMES = (65521, 65519, 65497)

_model: list[tuple[dict[str, dict[str, float]], bytes]] = []
_common: dict[str, bool] = {}


def score(features: Iterable[str], form: str) -> float:
    """Return the points of a value by its features."""
    weights = load_model()[0][form]
    return sum([weights.get(name, 0.0) for name in features])


def find_form(value: str) -> str:
    """Return the form of a value, or an empty string if it is none that people choose."""
    plain = value.strip("#*").replace("-", "")
    if plain.isdigit():
        return "number" if len(value) <= 12 else ""
    if not 4 <= len(value) <= 64 or not CODE.isdisjoint(value) or value[0] in "$%@&+-" or is_placeholder(value):
        return ""
    if (value.isupper() and value.replace("_", "").isalpha()) or (len(value) >= _DIGEST and is_hex(value)):
        return ""
    if plain.isalpha():
        return "word"
    return "odd" if any(map(str.isalpha, value)) and len(value) > 4 else ""


def describe(value: str, form: str, names: Sequence[str]) -> list[str]:
    """Return the features of a value alone; `names` are the classes of its words."""
    return [*_describe(value, form, names)]


def _describe(value: str, form: str, names: Sequence[str]) -> Iterator[str]:
    yield "bias"
    size, low = len(value), value.lower()
    if form == "number":
        yield f"digits {min(size, 9)}"
        if not value.isdigit():
            yield "signs"
        if _DATE.match(value):
            yield "date"
        return
    words = value.split() if form == "phrase" else _PART.findall(value)
    share = sum(map(_is_common, words)) * 3 // len(words) if words else 4
    yield f"common {share}"
    if form == "odd":
        shape = _LETTERS.sub("a", _NUMBER.sub("0", value))
        yield f"shape {shape[:7]}"
        yield f"shape {shape[:7]} {share > 1}"
    if form == "phrase":
        yield f"words {min(len(words), 6)}"
        yield f"known {sum(map(bool, names)) * 4 // len(words)}"
        if "desc" in names or "neg" in names or "must" in names:
            yield "describes"
    elif form == "word":
        yield f"length {min(size // 3, 5)}"
        if not value.isalpha():
            yield "parts"
        yield "..." + low[-2:]
        yield "..." + low[-3:]
        if "desc" in names:
            yield "describes"
    else:
        yield from _describe_odd(value, size)
    yield "upper" if value.isupper() else "lower" if value == low else "title" if value[1:].islower() else "capitals"


def _describe_odd(value: str, size: int) -> Iterator[str]:
    yield f"length {min(size // 4, 6)}"
    if is_technical(value, words=False):
        yield "technical"
    if _NAME.match(value):
        yield "name"
    if is_hex(value):
        yield "hex"
    if has_unknown_part(value):
        yield "unknown part"
    if _MIXED.search(value):
        yield "digits inside"
    digits = size - len(value.rstrip("0123456789!"))
    yield f"digits at end {min(digits, 5)}"
    if value[0].isdigit():
        yield "digit first"
    marks = {sign for sign in value if not sign.isalnum()}
    if not marks.isdisjoint(_SIGNS):
        yield "sign"
    yield from [f"has {sign}" for sign in "-_." if sign in marks]


def rate_odd_value(value: str) -> float:
    """Return the points of an odd value alone, and `NOTHING` for the name of a thing or another form."""
    if not CODE.isdisjoint(value) or _NAME.match(value):
        return NOTHING
    # Names of things are made of words that are common in technical text.
    if _SIGNS.isdisjoint(value) and all(map(_is_common, _PART.findall(value))):
        return NOTHING
    return score(describe(value, "odd", ()), "odd") if find_form(value) == "odd" else NOTHING


def _is_common(word: str) -> bool:
    known = _common.get(word)
    if known is None:
        if len(_common) > _MOST_KNOWN:
            _common.clear()
        bits = load_model()[1]
        known = _common[word] = all(bits[at >> 3] >> (at & 7) & 1 for at in hash_word(word.lower()))
    return known


def hash_word(low: str) -> Iterator[int]:
    """Yield the places of the bits of a word in the Bloom filter."""
    number = int.from_bytes(low.encode("utf-8", "replace"), "little")
    return (number % prime for prime in _PRIMES)


def load_model() -> tuple[dict[str, dict[str, float]], bytes]:
    """Return the weights of the features of each form, and the Bloom filter."""
    if not _model:
        with open(WEIGHTS, "rb") as file:
            header = quickjson.loads(file.readline())
            _model.append((header["weights"], file.read()))
    return _model[0]
