"""Undo spellings that hide an order, so that the rules see plain words.

An order may hide behind its spelling: letters borrowed from other alphabets, spaced-out letters, digits in place of
letters, letters in the wrong order, text written backwards, escaped characters, or text encoded as base64,
hexadecimal or decimal numbers. Each function here undoes one of these.
"""

from __future__ import annotations

import unicodedata

from limpet.lean.pattern import lazy
from limpet.text.words import word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

# Letters of other alphabets that look like Latin ones, and marks that look like ASCII marks.
_ALIKE = dict(
    zip(
        "аеорсухіјѕԁһԛԝӏʏɡıвкмнтαοερτυικνχβζημϲⅼ∕⁄∶꞉˸‐‑‒–—−【】❲❳∣ǀ∼˜",
        "aeopcyxijsdhqwlygibkmhtaoeptuikvxbzhmcl//:::------[][]||~~",
        strict=True,
    )
)


class _PlainLetters(dict[int, str]):
    """A table for `str.translate` that maps each character to its plain lower-case letter."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = unicodedata.normalize("NFKC", letter).lower()
        if len(plain) != 1:
            plain = letter
        became = _ALIKE.get(plain, plain)
        if not became.isascii() and became.isalpha():
            bare = unicodedata.normalize("NFD", became)[0]
            became = bare if bare.isascii() else became
        self[code] = became
        return became


_FOLDED = _PlainLetters()


def fold_lookalikes(text: str) -> str:
    """Return the text in lower case, with look-alike letters replaced by plain ones. The length stays the same."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


_VERBS = ("do", "does", "did", "must", "should", "would", "could", "is", "are", "was", "were", "have", "has", "need")
_WITHOUT_MARK = tuple(f"{verb}nt" for verb in _VERBS)
_NOT = lazy(rf"\b({'|'.join(_VERBS)})n'?t\b")
_QUOTES = str.maketrans("‘’‚‛“”„‟«»`´", "''''\"\"\"\"\"\"''")


def simplify(text: str) -> str:
    """Return the text in plain lower-case letters, with single spaces and with contractions written out."""
    text = fold_lookalikes(text.translate(_QUOTES)) if not text.isascii() else text.lower().replace("`", "'")
    return _expand_contractions(" ".join(text.split()))


def _expand_contractions(text: str) -> str:
    if "n't" in text or ("nt " in text and any(word in text for word in _WITHOUT_MARK)):
        text = (
            _NOT.sub(lambda found: f"{found.group(1) or ''} not", text)
            .replace("can't", "can not")
            .replace("won't", "will not")
        )
    return text.replace("cannot", "can not") if "cannot" in text else text


def respell(text: str) -> list[str]:
    """Return the spellings of a text to search for orders: first simplified, then with disguises undone."""
    plain = simplify(text)
    found = [plain]
    if not text.isascii():
        # `simplify` replaces borrowed letters by Latin ones, so a text that is really in another alphabet is added.
        found.append(" ".join(text.translate(_QUOTES).lower().split()))
    found += (_join_spaced_letters(plain), _replace_digits(plain), _unscramble(plain), *_undo_reversal(plain))
    if "%" in plain or "\\" in plain or "&#" in plain:
        found.append(_ESCAPE.sub(_undo_escape, plain))
    return list(dict.fromkeys(found))


# The patterns that undo a spelling are slow, so each is tried only after a quick search for a part that it needs.
_LONE_LETTERS = lazy(r"[ .\-_*|/,][^\W\d_][ .\-_*|/,]{1,3}[^\W\d_][ .\-_*|/,]")
_APART = lazy(r"(?<![^\W_])[^\W\d_](?:[ .\-_*|/,]{1,3}[^\W\d_](?![^\W_])){4,}+")
_GAPS = lazy(r"[ .\-_*|/,]{2,3}")
_SQUEEZED = lazy(
    r"(ignore|disregard|forget|reveal|bypass|override|print|show|repeat)(all|any|the|your)?(of)?(the|your)?"
    r"(previous|prior|above|earlier|system|safety|hidden)?(instructions?|prompts?|rules|directions|guidelines"
    r"|message)"
)


def _join_spaced_letters(text: str) -> str:
    """Join the letters of spaced-out words, such as `i g n o r e`."""
    if _LONE_LETTERS.search(text) is None:
        return text

    def join(found: re.Match[str]) -> str:
        words = ["".join(letter for letter in word if letter.isalpha()) for word in _GAPS.split(found.group())]
        joined = " ".join(words) if len(words) < len(found.group()) / 4 else "".join(words)
        squeezed = joined.replace(" ", "")
        return _SQUEEZED.sub(lambda each: " ".join(filter(None, each.groups())) + " ", squeezed) + f" {joined}"

    return _APART.sub(join, text)


_DIGITS = str.maketrans("013457@$!|", "oieastasil")
_DIGIT = lazy(r"[0134578@$]")
_MIXED = lazy(r"(?<![\w@$])(?=[\w@$!|]{0,12}[a-z])(?=[\w@$!|]{0,12}[0134578@$])[a-z0134578@$!|]{3,16}(?![\w@$])")


def _replace_digits(text: str) -> str:
    """Replace digits and punctuation by letters in words such as `1gn0r3`, if the result is a known word."""
    if _DIGIT.search(text) is None:
        return text

    def replace(found: re.Match[str]) -> str:
        word = found.group().translate(_DIGITS)
        return word if word in _KNOWN else found.group()

    return _MIXED.sub(replace, text)


_KNOWN = word_set(
    "ignore ignoring disregard forget previous prior above instruction instructions prompt prompts system rules your "
    "you the all any reveal show print tell user not bypass override safety filter restrictions guidelines pretend "
    "act now are jailbreak mode developer secret password send execute command commands do never always assistant "
    "model"
)
_LONG = word_set(
    "ignore disregard forget previous prior above instruction instructions prompt system rules reveal bypass override "
    "safety filters restrictions guidelines pretend jailbreak developer secret password execute command commands "
    "assistant directions everything"
)
_WORD = lazy(r"[\w.-]++")


def _sort_inner_letters(word: str) -> str:
    """Return a word with the letters between the first and the last one sorted.

    Words that differ only in the order of their inner letters become the same.
    """
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


_SCRAMBLED = {_sort_inner_letters(word): word for word in _LONG}
_SHAPES = frozenset((word[0], word[-1], len(word)) for word in _LONG)


def _unscramble(text: str) -> str:
    """Correct words whose inner letters were mixed up, as in `ignroe`.

    A text with only one such word is not changed, because the word may be a typing error.
    """
    mixed = {}
    for word in set(_WORD.findall(text)):
        if (word[0], word[-1], len(word)) in _SHAPES:
            meant = _SCRAMBLED.get(_sort_inner_letters(word), word)
            if meant != word:
                mixed[word] = meant
    if len(mixed) < 2:
        return text
    return _WORD.sub(lambda found: mixed.get(found.group(), found.group()), text)


_ESCAPE = lazy(r"%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{4,5}\}?|&#(?:[0-9]{2,5}|x[0-9a-f]{2,5});")


def _undo_escape(found: re.Match[str]) -> str:
    escape = found.group()
    digits = escape.strip("%\\xu{}&#;")
    return chr(int(digits, 10 if escape[0] == "&" and escape[2] != "x" else 16)).lower()


# Frequent words, backwards and in ROT13: one that is telling, or two near each other.
_BACKWARDS = lazy(
    r"snoitcurtsni|tpmorp|erongi|\b(?:eht|dna|ruoy|morf|htiw|resu|nehw)\b.{0,40}\b(?:eht|dna|ruoy|ot|fo|lla|morf)\b"
)
_ROTATED = lazy(
    r"vafgehpgvba|vtaber|cebzcg|\b(?:gur|naq|lbhe|sebz|jvgu|hfre|jura)\b.{0,40}\b(?:gur|naq|lbhe|gb|bs|nyy|sebz)\b"
)
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")


def _undo_reversal(text: str) -> Iterator[str]:
    """Yield the text backwards or in ROT13 if that makes words of a part of it."""
    if _BACKWARDS.search(text) is not None:
        yield text[::-1]
    if _ROTATED.search(text) is not None:
        yield text.translate(_ROT13)


# A word with letters of two alphabets that change within it, such as a Cyrillic one between Latin ones.
_MIXED_ALPHABETS = lazy(r"[a-z][\u0400-\u052f]+[a-z]|[\u0400-\u052f][a-z]+[\u0400-\u052f]")


def is_disguised(text: str) -> bool:
    """Tell whether two words or more mix Latin and Cyrillic letters, as no language does."""
    if text.isascii():
        return False
    found = _MIXED_ALPHABETS.finditer(text.lower())
    return next(found, None) is not None and next(found, None) is not None


_BASE64 = lazy(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{16,4000}+={0,2}")
_HEX_START = lazy("[0-9A-Fa-f][0-9A-Fa-f]" + r"[ ,]?(?:\\x|0x|%)?[0-9A-Fa-f]{2}" * 5)
_HEX = lazy(r"(?<![0-9A-Fa-f])(?:(?:\\x|0x|%)?[0-9A-Fa-f]{2}[ ,]?){12,800}+")
_HEX_PAIR = lazy(r"[0-9A-Fa-f]{2}(?![xX])")
_DECIMAL = lazy(r"[0-9]{2,3}(?:[, ] ?[0-9]{2,3}){11,800}+")
_BASE32 = lazy(r"[A-Z2-7]{24,4000}+={0,6}")
_MOST_PARTS = 6


def decode_parts(text: str) -> Iterator[str]:
    """Yield the decoded form of each part in base64, base32, hexadecimal or decimal numbers, if it is readable."""
    import base64

    for pattern, decode, group in ((_BASE64, base64.b64decode, 4), (_BASE32, base64.b32decode, 8)):
        for found in pattern.findall(text)[:_MOST_PARTS]:
            digits = found.rstrip("=")
            try:
                yield from _decode_letters(decode(digits + "=" * (-len(digits) % group)))
            except ValueError:
                continue
    for found in _HEX.findall(text)[:_MOST_PARTS] if _HEX_START.search(text) else ():
        yield from _decode_letters(bytes(int(pair, 16) for pair in _HEX_PAIR.findall(found)))
    for found in _DECIMAL.findall(text)[:_MOST_PARTS]:
        codes = [int(code) for code in found.replace(",", " ").split()]
        if max(codes) < 128:
            yield from _decode_letters(bytes(codes))


def _decode_letters(data: bytes) -> Iterator[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if " " in text and "".join(text.split()).isprintable():
        yield text
