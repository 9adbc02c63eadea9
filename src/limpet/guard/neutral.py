"""Make stored text harmless to show, so that it cannot hide characters, imitate Limpet's own lines or close a block.

First, invisible characters are removed: escape sequences, control and bidirectional characters, tag characters, and
joiners where no script needs them. Then text that looks like the structure of Limpet or of a host is rewritten so that
a reader can still see what was there: `<memory-context>` becomes `‹memory-context›`, `[LTM:x]` becomes `(LTM:x)`,
`Human: hi` becomes `Human – hi`. Ordinary markup, generics and shell lines stay. Patterns read a plain copy of the
text, in which accents and joiners are removed, ligatures are spelt out, and fullwidth letters and letters borrowed from
other alphabets are plain. Text that no pattern matches keeps its spelling.

Neutralising a text twice gives the same result as neutralising it once.
"""

from __future__ import annotations

import unicodedata

from limpet.guard.spellings import fold_lookalikes
from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

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
_SHARED = (
    r"user|developer|tool|context|parameter|document|documents|example|result|results|env|model|prompt|role|session"
)
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
    """Return a pattern that matches a word even if spaces, dots or dashes separate its letters."""
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
    """Return the text in a harmless form, which cannot be mistaken for lines written by Limpet or the host.

    If `one_line` is true, the result is a single line.
    """
    text = remove_hidden(text)
    for _ in range(8):
        before = text
        changed = _rewrite_structure(text)
        text = _tidy_space(changed, one_line)
        # Only joined lines can have made a new structure.
        if changed == before and (text == before or not one_line):
            break
    return text


_SEPARATOR = "\n\ufffc\n"
"""The separator between lines that must be read separately. No pattern matches across it."""


def neutralise_lines(text: str) -> list[str]:
    """Return the lines of a document in a harmless form. Their number and indentation stay the same."""
    lines = text.split("\n")
    found = _rewrite_fully(text).split("\n")
    if len(found) != len(lines):
        # Two lines were joined, because a structure spans both.
        found = _rewrite_fully(_SEPARATOR.join(line.replace("\ufffc", "\ufffd") for line in lines)).split(_SEPARATOR)
    is_whole = len(found) == len(lines) and not any("\n" in line for line in found)
    return found if is_whole else [_neutralise_line(line) for line in lines]


def _rewrite_fully(text: str) -> str:
    for _ in range(8):
        before = text
        text = _rewrite_structure(remove_hidden(text))
        if text == before:
            break
    return text


def _neutralise_line(line: str) -> str:
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)] + neutralise(rest, one_line=True)


def remove_hidden(text: str) -> str:
    """Remove characters that are invisible, move the cursor, ring the bell or change the direction of the text."""
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
        text = text.translate(_VISIBLE)
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


class _VisibleCharacters(dict[int, str | None]):
    """A table for `str.translate` that makes every space a plain one and removes invisible characters."""

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


_VISIBLE = _VisibleCharacters()

_ANGLES = str.maketrans("<>＜＞", "‹›‹›")
_ROUND = str.maketrans("[]【】［］❲❳", "()()()()")


def _rewrite_angles(found: re.Match[str], text: str) -> str:
    return text.translate(_ANGLES)


def _rewrite_line_mark(found: re.Match[str], text: str) -> str:
    at = found.start()
    kind, impact = (text[found.start(each) - at : found.end(each) - at] for each in (1, 2))
    return f"({kind}:{impact}{found.group(3)})"


def _rewrite_section(found: re.Match[str], text: str) -> str:
    at = found.start()
    return f"{text[: found.end(1) - at]} {text[found.start(2) - at :]}"


def _put_dash(found: re.Match[str], text: str) -> str:
    return f"{text[:-1].rstrip()} –"


# Words that are also keys in settings files: a key is followed by a value of one word, a speaker by more words.
_KEYS = frozenset(("user", "tool", "ai", "claude", "chatgpt", "function", "title", "content"))


def _rewrite_role(found: re.Match[str], text: str) -> str:
    name = text[found.start(2) - found.start() : found.end(2) - found.start()]
    if name.islower() and found.group(2) in _KEYS and _is_value(found):
        return text
    return _put_dash(found, text)


def _is_value(found: re.Match[str]) -> bool:
    """Tell whether a matched name is a key with a value: one word after it on its line, or indented lines below it."""
    line, newline, rest = found.string[found.end() : found.end() + 200].partition("\n")
    return len(line.split()) == 1 or (not line.strip() and (not newline or rest[:1] in (" ", "\t")))


# Each step: texts of which one must occur before the pattern is tried, the pattern, and how a match is rewritten.
_STEPS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[re.Match[str], str], str]], ...] = (
    (("sys",), _SYS, _rewrite_angles),
    (("<",), _TAG, _rewrite_angles),
    (("[", "【"), _SQUARE, lambda found, text: text.translate(_ROUND)),
    (("~",), _LINE_MARK, _rewrite_line_mark),
    (("memory", "memories", "limpet", "ltm"), _SECTION, _rewrite_section),
    (("⚠",), _WARNING, lambda found, text: f"{text[: found.end(1) - found.start()]}(!)"),
    (("```", "~~~"), _FENCE, lambda found, text: "'''"),
    ((":",), _ROLE, _rewrite_role),
    (("##",), _SECTION_ROLE, _put_dash),
    (("human", "assistant"), _SPOKEN, lambda found, text: text if text[0].islower() else _put_dash(found, text)),
)


# A text with this many brackets or speakers is not a note; rewriting all of them costs a tenth of the search.
_MANY = 20_000


def _rewrite_structure(text: str) -> str:
    for many, rewritten in (("<", _ANGLES), ("[", _ROUND)):
        if text.count(many) > _MANY:
            text = text.translate(rewritten)
    copy = _PlainCopy(text)
    for stems, pattern, rewrite in _STEPS:
        if not any(stem in copy.folded for stem in stems):
            continue
        changed = _rewrite_all(copy, pattern, rewrite)
        if changed != copy.text:
            copy = _PlainCopy(changed)
    return copy.text


def _rewrite_all(copy: _PlainCopy, pattern: re.Pattern[str], rewrite: Callable[[re.Match[str], str], str]) -> str:
    """Return the text of a copy, with each match of a pattern replaced by the result of `rewrite`."""
    text, end = copy.text, 0
    shown: list[str] = []
    for found in pattern.finditer(copy.folded):
        old = copy.bare[found.start() : found.end()]
        new = rewrite(found, old)
        if new == old:
            continue
        start, stop = copy.find_position(found.start()), copy.find_position(found.end())
        shown += (text[end:start], new)
        end = stop
        if len(shown) > _MANY and rewrite is _rewrite_role:
            return "".join(shown) + text[end:].translate(_COLONS)
    return "".join(shown) + text[end:]


_COLONS = dict.fromkeys(map(ord, ":：∶꞉˸﹕︓"), " –")


class _PlainCopy:
    """A text with two copies to search: `bare` without accents and joiners, and `folded`, also in lower case."""

    def __init__(self, text: str) -> None:
        self.text = self.bare = text
        self._places: list[int] | None = None
        if text.isascii():
            self.folded = text.lower()
            return
        self.bare = text.translate(_BARE)
        if any(len(_BARE[code]) != 1 for code in map(ord, set(text))):
            self._places = [at for at, letter in enumerate(text) for _ in _BARE[ord(letter)]]
        self.folded = fold_lookalikes(self.bare)

    def find_position(self, index: int) -> int:
        """Return the position in the text of a letter at position `index` in the copies, which may differ in length."""
        if self._places is None:
            return index
        return self._places[index] if index < len(self._places) else len(self.text)


class _PlainSpelling(dict[int, str]):
    """A table for `str.translate` that removes accents and spells out ligatures."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        spelt = unicodedata.normalize("NFKD", letter)
        plain = "".join(each for each in spelt if unicodedata.category(each) not in ("Mn", "Me", "Cf"))
        is_other = plain.isascii() and not (letter.isalpha() and len(plain) == 1)
        self[code] = plain if is_other else letter
        return self[code]


_BARE = _PlainSpelling()


_TRAILING = lazy(r"[^\S\n]++(?=\n)")
_EMPTY_LINES = lazy(r"\n{3,}+")


def _tidy_space(text: str, one_line: bool) -> str:
    if one_line:
        return " ".join(text.split())
    if "\n" in text:
        text = _EMPTY_LINES.sub("\n\n", _TRAILING.sub("", text))
    return text.strip()


def quote(text: str) -> str:
    """Return the text in quotation marks. Closing marks inside it are replaced, so none can end the quotation."""
    return "“" + text.replace("”", '"') + "”"


def quote_name(name: str) -> str:
    """Return a file name in a harmless form.

    A name with spaces could be a sentence, so it is put in quotation marks.
    """
    plain = neutralise(name, one_line=True)
    return quote(plain) if " " in plain.strip() else plain
