"""Tells whether a text gives orders to a model, however it is spelt, and by which signs.

Detection is the second line of defence: who said it decides first, and everything is shown neutralised anyway. So the
rules aim at what an order to a model has and a technical note has not, and leave the benefit of the doubt to notes:
"ignore rules in .gitignore", "operating system: Linux" and texts about prompt injection are honest.

A text is read in several spellings: plain letters, letters that were spaced out, digits put for letters, letters in
the wrong order, written backwards, and what its base64 or hex parts say. Very long texts are read at both ends and
around the words that matter, so that the cost is bounded.
"""

from __future__ import annotations

from limpet.guard.neutral import fold, visible
from limpet.guard.rules import RULES, source
from limpet.guard.sense import wants_harm
from limpet.guard.weigh import is_mixed
from limpet.lean.pattern import lazy
from limpet.text.negation import negation_before
from limpet.text.words import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

__all__ = ["instruction_signs"]

ENCODED = "encoded order"
MIXED = "several hints together"

_WHOLE = 10_000
"""Characters up to which a text is read from end to end; of a longer one, about as many are read."""
_AROUND = 300


def instruction_signs(text: str) -> tuple[str, ...]:
    """The names of the signs found, each once, in the order of the rules; none means that the text is honest."""
    text = _telling_part(visible(text))
    found: set[str] = set()
    for spelling in _spellings(text):
        found.update(_signs(spelling))
    if any(_signs(_plain(part)) for part in _decoded(text)):
        found.add(ENCODED)
    return tuple(sign for sign in dict.fromkeys([*(rule[0] for rule in RULES), ENCODED, MIXED]) if sign in found)


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


def _telling_part(text: str) -> str:
    """What of a very long text is read: its ends, and what stands around the words that orders are made of."""
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


_SPACES = lazy(r"\s++")
_NOT = lazy(r"\b(do|does|did|must|should|would|could|is|are|was|were|have|has|need)n'?t\b")
_QUOTES = str.maketrans("‘’‚‛“”„‟«»`´", "''''\"\"\"\"\"\"''")


def _plain(text: str) -> str:
    """Lower case, plain letters, one space between words, contractions written out."""
    text = fold(text.translate(_QUOTES)) if not text.isascii() else text.lower().replace("`", "'")
    return _expanded(_SPACES.sub(" ", text).strip())


def _expanded(text: str) -> str:
    if "n't" in text or "nt " in text:
        text = _NOT.sub(r"\1 not", text).replace("can't", "can not").replace("won't", "will not")
    return text.replace("cannot", "can not") if "cannot" in text else text


def _spellings(text: str) -> Iterator[str]:
    plain = _plain(text)
    yield plain
    if "\n" in text.strip():
        # A sentence may go on over a line's end, or a new one may begin there without a full stop.
        yield _plain(text.replace("\n", ". "))
    if not text.isascii():
        # Letters borrowed from other alphabets are made plain above; the alphabets themselves are read here.
        own = _SPACES.sub(" ", text.translate(_QUOTES).lower()).strip()
        if own != plain:
            yield own
    for respelt in (_closed_up(plain), _without_digits(plain), _unscrambled(plain), _turned_round(plain)):
        if respelt != plain:
            yield respelt


_APART = lazy(r"(?<![^\W_])[^\W\d_](?:[ .\-_*|/,]{1,3}[^\W\d_](?![^\W_])){4,}+")
_GAPS = lazy(r"[ .\-_*|/,]{2,3}")
_SQUEEZED = lazy(
    r"(ignore|disregard|forget|reveal|bypass|override|print|show|repeat)(all|any|the|your)?(of)?(the|your)?"
    r"(previous|prior|above|earlier|system|safety|hidden)?(instructions?|prompts?|rules|directions|guidelines"
    r"|message)"
)


def _closed_up(text: str) -> str:
    """Words whose letters stand apart, as in `i g n o r e`, written together."""

    def closed(found: re.Match[str]) -> str:
        words = ["".join(letter for letter in word if letter.isalpha()) for word in _GAPS.split(found.group())]
        joined = " ".join(words) if len(words) < len(found.group()) / 4 else "".join(words)
        squeezed = joined.replace(" ", "")
        return _SQUEEZED.sub(lambda each: " ".join(part for part in each.groups() if part), squeezed) + f" {joined}"

    return _APART.sub(closed, text)


_DIGITS = str.maketrans("013457@$!|", "oieastasil")
_MIXED = lazy(r"(?<![\w@$])(?=[\w@$!|]{0,12}[a-z])(?=[\w@$!|]{0,12}[0134578@$])[a-z0134578@$!|]{3,16}(?![\w@$])")


def _without_digits(text: str) -> str:
    """Digits and signs put for letters, as in `1gn0r3`, turned back where a known word comes out."""

    def respelt(found: re.Match[str]) -> str:
        word = found.group().translate(_DIGITS)
        return word if word in _KNOWN else found.group()

    return _MIXED.sub(respelt, text)


_KNOWN = listed(
    "ignore ignoring disregard forget previous prior above instruction instructions prompt prompts system rules your "
    "you the all any reveal show print tell user not bypass override safety filter restrictions guidelines pretend "
    "act now are jailbreak mode developer secret password send execute command commands do never always assistant "
    "model"
)
_LONG = listed(
    "ignore disregard forget previous prior above instruction instructions prompt system rules reveal bypass override "
    "safety filters restrictions guidelines pretend jailbreak developer secret password execute command commands "
    "assistant directions everything"
)
_WORD = lazy(r"(?<![\w.-])[a-z]{5,14}(?![\w.-])")


def _scramble(word: str) -> str:
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


_SCRAMBLED = {_scramble(word): word for word in _LONG}


def _unscrambled(text: str) -> str:
    """Words whose inner letters were mixed up, as in `ignroe`; only if there are several: typing errors happen."""
    mixed = {}
    for word in set(_WORD.findall(text)):
        meant = _SCRAMBLED.get(_scramble(word))
        if meant is not None and meant != word:
            mixed[word] = meant
    if len(mixed) < 2:
        return text
    return _WORD.sub(lambda found: mixed.get(found.group(), found.group()), text)


def _turned_round(text: str) -> str:
    """A text written backwards or with the alphabet turned by thirteen."""
    if "snoitcurtsni" in text or "tpmorp" in text or "erongi" in text:
        return text[::-1]
    if "vafgehpgvba" in text or "vtaber" in text or "cebzcg" in text:
        return text.translate(_ROT13)
    return text


_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")

_BASE64 = lazy(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{20,4000}+={0,2}")
_HEX = lazy(r"(?<![0-9A-Fa-f])(?:(?:\\x|0x|%)?[0-9A-Fa-f]{2}[ ,]?){12,800}+")
_HEX_PAIR = lazy(r"[0-9A-Fa-f]{2}(?![xX])")
_MOST_PARTS = 6


def _decoded(text: str) -> Iterator[str]:
    """What base64 and hex parts of the text say, where they say something in letters."""
    import binascii

    for found in _BASE64.findall(text)[:_MOST_PARTS]:
        try:
            yield from _letters(binascii.a2b_base64(found.rstrip("=") + "=" * (-len(found.rstrip("=")) % 4)))
        except ValueError:
            continue
    for found in _HEX.findall(text)[:_MOST_PARTS]:
        yield from _letters(bytes(int(pair, 16) for pair in _HEX_PAIR.findall(found)))


def _letters(data: bytes) -> Iterator[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if " " in text and sum(letter.isalpha() or letter == " " for letter in text) > 0.8 * len(text):
        yield text


class _Rule:
    """One row of the table; its pattern is written out and compiled when a text first holds one of its stems."""

    __slots__ = ("even_denied", "pattern", "row", "sign", "stems")

    def __init__(self, sign: str, stems: tuple[str, ...], row: str) -> None:
        self.sign = sign
        self.stems = stems
        self.even_denied = row.startswith("!")
        self.row = row.removeprefix("!")
        self.pattern: re.Pattern[str] | None = None

    def is_in(self, text: str) -> bool:
        if not any(stem in text for stem in self.stems):
            return False
        if self.pattern is None:
            self.pattern = lazy(source(self.row))
        return any(
            not _is_mentioned(text, found)
            and (self.even_denied or not _is_denied(text, found))
            and not (self.sign == "unsafe advice" and _is_asked(text, found))
            and not (self.sign in _TOLD and _is_told(text, found))
            for found in self.pattern.finditer(text)
        )


_RULES = tuple(_Rule(*row) for row in RULES)


def _signs(text: str) -> list[str]:
    found: list[str] = []
    for rule in _RULES:
        if rule.sign not in found and rule.is_in(text):
            found.append(rule.sign)
    if not found and (is_mixed(text) or wants_harm(text, _is_mentioned)):
        found.append(MIXED)
    return found


_DENIAL = negation_before("avoid", "stop", r"refuse\w*", "without", "forbidden", r"prohibit\w*", reach=40)


_FORBIDDEN = lazy(
    r"[^.!?]{0,24}\b(?:is|are|was|were|will be) (?:strictly )?(?:forbidden|prohibited|banned|not allowed"
    r"|disallowed|removed"
    r"|refused|rejected|blocked|withheld)"
)


def _is_denied(text: str, found: re.Match[str]) -> bool:
    """ "Never skip the review" is the opposite of an order to skip it, and so is "skipping it is forbidden"."""
    before = text[max(0, found.start() - 48) : found.start() + 1]
    return _DENIAL.search(before[:-1]) is not None or _FORBIDDEN.match(text, found.end()) is not None


_QUESTION = lazy(r"[^.!?]{0,80}\?")


def _is_asked(text: str, found: re.Match[str]) -> bool:
    """To ask how something is switched off is not to advise it."""
    return _QUESTION.match(text, found.end()) is not None


_TOLD = ("persona", "prompt leak", "order")
_TELLING_CLAUSE = lazy(
    r"^(?:the|an?|our|this|each|its|in|with) (?:(?!you|your)[\w'/.-]+ ){1,8}(?:(?!you)[^,:;]){0,20}$"
)


def _is_told(text: str, found: re.Match[str]) -> bool:
    """ "The test asks the bot to reveal its prompt" tells what something does; an order has no such subject."""
    before = text[max(0, found.start() - 100) : found.start()]
    return _TELLING_CLAUSE.search(before[_last_cut(before) :].lstrip()) is not None


_ABOUT = lazy(
    r"\b(?:phrases?|strings?|patterns?|prompts? (?:like|such)|attacks?|attackers?|injections?|payloads?"
    r"|jailbreaks?|detect\w*"
    r"|block(?:s|ed|ing)?|filter(?:s|ed|ing)?|flag(?:s|ged)?|reject(?:s|ed)?|match(?:es|ed)?|regex\w*|test(?:s"
    r"|ed)? (?:that|for|case|whether|asks"
    r"|with)|such as|e\.g\.|for example|examples?|contain(?:s|ing)?|saying|adversari\w+|malicious|red.team\w*"
    r"|vulnerab\w+"
    r"|sanitis\w+|sanitiz\w+|neutrali[sz]\w+|called|named|titled|quot(?:e|es|ed)|literal|misread"
    r"|false (?:positive|alarm)s?|classif\w+|eval\w*"
    r"|governor|guard(?:s|ed)?|corpus|dataset|benchmark|paper|article|tries to|try to|attempts?)\b"
)
_CUT = lazy(r"[,:;] |[.!?] | - |[\]})>] ")


def _is_mentioned(text: str, found: re.Match[str]) -> bool:
    """Whether the find is spoken about rather than said: quoted next to such a word, or its object."""
    start, end = found.span()
    before = text[max(0, start - 120) : start]
    if before[-1:] in _MARKS or text[start] in _MARKS or text[end : end + 1] in _MARKS:
        sentence = before[max(before.rfind(". "), before.rfind("! "), before.rfind("? ")) + 1 :]
        return bool(_ABOUT.search(sentence) or _ABOUT.search(text[end : end + 80].partition(". ")[0]))
    return _ABOUT.search(before[_last_cut(before) :]) is not None


_MARKS = ("'", '"')


def _last_cut(text: str) -> int:
    return max((cut.end() for cut in _CUT.finditer(text)), default=0)
