"""Make a stored text harmless to show: it hides nothing, forges no line of Limpet and closes no block.

Three things are done, in this order. What cannot be seen is taken out: escape sequences, control and bidirectional
characters, tag characters, joiners where no script needs them. Then what could be taken for structure, ours or a
host's, is rewritten so that a reader still knows what stood there: `<memory-context>` becomes `‹memory-context›`,
`[LTM:x]` becomes `(LTM:x)`, `Human: hi` becomes `Human – hi`. Ordinary markup, generics and shell lines stay. Patterns
read a folded copy of the same length, in which fullwidth letters and letters borrowed from other alphabets are plain.

Doing it twice changes nothing more.
"""

from __future__ import annotations

import unicodedata

from limpet.guard.spellings import fold
from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

__all__ = ["neutralise", "remove_hidden"]

_ESCAPES = lazy(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]{0,4}[0-~]?"
)
_BREAKS = lazy("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Printable according to Unicode, yet invisible: fillers, blanks and selectors that can carry data.
_BLANK = lazy(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\U000e0100-\U000e01ef]"
    "|(?<![^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f])[\ufe00-\ufe0f]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
_STACKED = lazy(r"([\u0300-\u036f]{4})[\u0300-\u036f]+")
# Joiners are spelling in Arabic and Indic scripts and make families of emoji; elsewhere they only hide things.
_JOINED = (
    r"[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1780-\u18af\ufb50-\ufdff\ufe0f\ufe70-\ufefe\u2190-\u2bff"
    r"\U0001f000-\U0001faff]"
)
_JOINERS = lazy(rf"(?<={_JOINED})([\u200c\u200d])[\u200c\u200d]*(?={_JOINED})|[\u200c\u200d]+")

# Names that only a host or Limpet itself would write in angle brackets, and names that generics use as well.
_OURS = (
    r"memor(?:y|ies)(?:[-_ ]?\w{1,20}){0,3}|ltm\w{0,10}|limpet[\w-]{0,20}|system(?:[-_]\w{1,20}){0,3}|private|human"
    r"|assistant|(?:antml|ant):\w{1,30}|function[-_](?:calls?|results?)|tool[-_]\w{1,20}|invoke|thinking|scratchpad"
    r"|(?:command|bash|local-command|ide|task|user|claude|persisted|new|session|agent|hook|prompt|chat|project)"
    r"[-_][\w-]{1,40}|(?:start|end)_of_\w{1,10}|important|extremely[-_]important|instructions?|information|inst|sys"
    r"|[be]os|s"
)
_SHARED = r"user|developer|tool|context|parameter|document|documents|example|result|results|env|model|prompt|role"
_TAG = lazy(
    rf"<(?=[\s/!?]{{0,4}}+[a-z|])(?:\s*+(?:[/!?]\s*+)?(?:{_OURS})(?![\w-])[^<>\n]{{0,200}}+>?"
    rf"|(?:(?<!\w<)\s*+|\s*+/\s*+)(?:{_SHARED})(?![\w-])[^<>\n]{{0,200}}+>"
    r"|\s?\|[^|<>\n]{1,40}\|\s?>|\s?\|\s?(?:im_|end|start|sys|user|assist|eot|begin|pad|sep|fim))"
)
_SYS = lazy(r"<<\s?/?\s?sys\s?>>?")
_SQUARE = lazy(
    r"[\[【]\s*+[/\\]?\s*+(?:ltm(?![\w-])[^\]】\n]{0,120}+|/?inst|created\s*+:[^\]】\n]{0,60}+"
    r"|(?:end |begin |start )?(?:system|human|assistant)(?: [\w-]{1,20}){0,3}(?=\s*+[\]】]))"
    r"\s*+[\]】]?"
)
_LINE_MARK = lazy(r"~\s*+([a-z]{2,12})\s*+:\s*+([a-z]{2,10})\s*+(\??)\s*+[|¦│]")
_SECTION = lazy(r"((?:memory|memories|limpet|ltm)[\w-]{0,20}+)\s*+:\s*+(start|end|begin|stop|close)(?![a-z])")
_WARNING = lazy(r"^([\s>*#-]*+)⚠\ufe0f?", 8)
_FENCE = lazy(r"`{3,}+|^[^\S\n]*+~{3,}+", 8)


def _spaced_pattern(word: str) -> str:
    """Return a pattern of the word, also with a space, dot or dash between its letters."""
    return r"[ .\-_*]?".join(word)


_ROLES = "|".join(_spaced_pattern(word) for word in ("human", "assistant", "system"))
_ROLE = lazy(
    rf"^([^\S\n]*+(?:[>#*\-|_`\"'(\[]++[^\S\n]*+){{0,3}}+)({_ROLES}|user|developer|tool|ai|claude|chatgpt|function"
    r"|title|content)(?![a-z])[ *_`\"')\]]{0,4}+:(?!:|//)",
    8,
)
_SECTION_ROLE = lazy(r"^[^\S\n]*+#{2,}+[^\S\n]*+(?:instructions?|response|input|output|system|user)[ *_]{0,3}+:", 8)
_SPOKEN = lazy(r"(?<![\w-])(?:human|assistant)\s?:(?!:|//)")


def neutralise(text: str, *, one_line: bool = False) -> str:
    """Return the text as it may stand between lines of Limpet."""
    text = remove_hidden(text)
    folded = fold(text)
    for _ in range(8):
        before = text
        text, folded = _rewrite_structure(text, folded)
        changed, text = text, _tidy_space(text, one_line)
        # Only joined lines can have made a new structure.
        if changed == before and (text == before or not one_line):
            break
        if text != changed:
            folded = fold(text)
    return text


def remove_hidden(text: str) -> str:
    """Return the text without anything that moves a cursor, rings, turns the writing round or cannot be seen."""
    if text.isascii() and text.isprintable():
        return text
    # The letters that occur are collected once; most texts then need none of the searches.
    letters = set(text)
    if not letters.isdisjoint(_STARTING):
        text = _ESCAPES.sub("", text)
    if not letters.isdisjoint(_BREAKING):
        text = _BREAKS.sub("\n", text)
    if not letters.isdisjoint(_EMPTY):
        text = _BLANK.sub("", text)
    if not text.replace("\n", "").replace("\t", "").isprintable():
        text = text.translate(_HIDDEN)
        text = _JOINERS.sub(lambda found: found.group(1) or "", text)
    return text if letters.isdisjoint(_MARKS) else _STACKED.sub(r"\1", text)


_STARTING = frozenset("\x1b\x90\x98\x9b\x9d\x9e\x9f")
_BREAKING = frozenset("\r\x0b\x0c\x85\u2028\u2029")
_MARKS = frozenset(map(chr, range(0x300, 0x370)))
_EMPTY = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)


class _Hidden(dict[int, str | None]):
    """The replacement of each character: itself, a plain space, or nothing; computed once for each that occurs."""

    def __missing__(self, code: int) -> str | None:
        letter = chr(code)
        category = unicodedata.category(letter)
        if category == "Zs":
            became: str | None = " "
        elif letter in "\n\t\u200c\u200d" or letter.isprintable():
            became = letter
        else:
            became = "\ufffd" if category == "Cs" else None
        self[code] = became
        return became


_HIDDEN = _Hidden()

_ANGLES = str.maketrans("<>＜＞", "‹›‹›")
_ROUND = str.maketrans("[]【】［］❲❳", "()()()()")


def _rewrite_angles(found: re.Match[str], text: str) -> str:
    return text.translate(_ANGLES)


def _rewrite_brackets(found: re.Match[str], text: str) -> str:
    return text.translate(_ROUND)


def _rewrite_line_mark(found: re.Match[str], text: str) -> str:
    at = found.start()
    kind, impact = (text[found.start(each) - at : found.end(each) - at] for each in (1, 2))
    return f"({kind}:{impact}{found.group(3)})"


def _rewrite_section(found: re.Match[str], text: str) -> str:
    at = found.start()
    return f"{text[: found.end(1) - at]} {text[found.start(2) - at :]}"


def _rewrite_warning(found: re.Match[str], text: str) -> str:
    return f"{text[: found.end(1) - found.start()]}(!)"


def _rewrite_fence(found: re.Match[str], text: str) -> str:
    return "'''"


def _put_dash(found: re.Match[str], text: str) -> str:
    return f"{text[:-1].rstrip()} –"


def _rewrite_role(found: re.Match[str], text: str) -> str:
    name = text[found.start(2) - found.start() : found.end(2) - found.start()]
    if name.islower() and found.group(2) not in ("human", "assistant") and not _is_speech(found):
        return text
    return _put_dash(found, text)


def _is_speech(found: re.Match[str]) -> bool:
    """Tell whether somebody speaks: a key of YAML has a value of a word or two, speech is longer."""
    line = found.string[found.end() : found.end() + 200].partition("\n")[0]
    return len(line.split()) > 2


def _rewrite_speaker(found: re.Match[str], text: str) -> str:
    return text if text[0].islower() else _put_dash(found, text)


# What must occur for a pattern to be tried at all, the pattern, and how each find is rewritten.
_STEPS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[re.Match[str], str], str]], ...] = (
    (("sys",), _SYS, _rewrite_angles),
    (("<",), _TAG, _rewrite_angles),
    (("[", "【"), _SQUARE, _rewrite_brackets),
    (("~",), _LINE_MARK, _rewrite_line_mark),
    (("memory", "memories", "limpet", "ltm"), _SECTION, _rewrite_section),
    (("⚠",), _WARNING, _rewrite_warning),
    (("```", "~~~"), _FENCE, _rewrite_fence),
    ((":",), _ROLE, _rewrite_role),
    (("##",), _SECTION_ROLE, _put_dash),
    (("human", "assistant"), _SPOKEN, _rewrite_speaker),
)


# A text with so many brackets or speakers is no note; rewriting all of them costs a tenth of searching.
_MANY = 20_000


def _rewrite_structure(text: str, folded: str) -> tuple[str, str]:
    for many, rewritten in (("<", _ANGLES), ("[", _ROUND)):
        if text.count(many) > _MANY:
            text = text.translate(rewritten)
            folded = fold(text)
    for stems, pattern, rewrite in _STEPS:
        if not any(stem in folded for stem in stems):
            continue
        shown: list[str] = []
        plain: list[str] = []
        end = 0
        for found in pattern.finditer(folded):
            start, stop = found.span()
            old = text[start:stop]
            new = rewrite(found, old)
            if new != old:
                shown += (text[end:start], new)
                plain += (folded[end:start], fold(new))
                end = stop
            if len(shown) > _MANY and rewrite is _rewrite_role:
                text = "".join(shown) + text[end:].replace(":", " –").replace("：", " –")
                folded = fold(text)
                break
        else:
            text, folded = "".join(shown) + text[end:], "".join(plain) + folded[end:]
    return text, folded


_TRAILING = lazy(r"[^\S\n]++(?=\n)")
_EMPTY_LINES = lazy(r"\n{3,}+")


def _tidy_space(text: str, one_line: bool) -> str:
    if one_line:
        return " ".join(text.split())
    if "\n" in text:
        text = _EMPTY_LINES.sub("\n\n", _TRAILING.sub("", text))
    return text.strip()
