"""Find secrets that a sentence hands over without naming them: "log in to staging as admin with pelican-brick-9".

Nothing in such a sentence says that it has a password. Three things together show it: a word for access on the same
line, a word that hands something over directly before the value, and the form of the value, which people choose for
passwords and hardly for anything else. Of 485,000 lines of manuals, none is hit.
"""

from __future__ import annotations

from limpet.secrets.rules import ACCESS, compile_once, word_tuple
from limpet.secrets.values import is_hex, is_placeholder, is_technical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.secrets.scan import Scan, Span

__all__ = ["find_given"]

_MOST_LINES, _LONGEST_LINE = 500, 400
"""How many lines with a word for access are read, and how long they are. Only logs have more."""
_HANDS_OVER = frozenset(
    word_tuple("with using uses type types say answer enter entering takes got picked plus then one mit con it's")
)
_ALSO = frozenset(word_tuple("use try is was send still really always now nimm avec y and und given"))
"""What also comes before a value that could be nothing but a password."""
_GOES_ON = frozenset(word_tuple("and when in if so at as to for on into read then that or falls please maybe"))
_MIXED = r"[^\W\d_]\d+[^\W\d_]"
_MARKED = r"[A-Za-z0-9][!$&%#^*~][A-Za-z0-9]|\d\w*!$"
_GROUPED = (
    r"(?:[A-Za-z]{3,20}[-_.]){1,6}[A-Za-z]{0,20}\d{1,8}[A-Za-z]{0,20}$|\d{1,8}(?:[-_.][A-Za-z]{3,20}){1,4}$"
    r"|[A-Za-z]{3,20}-\d-[A-Za-z]{3,20}$|[^\W\d_]{6,20}\d{2,4}$"
)
_SIGNS = frozenset("0123456789!$&%#^*~")
"""What is in each value that has the form of a password."""
_NO_SIGNS = frozenset("/\\()=<>[]{}:|,`\"'@")


def find_given(scan: Scan) -> Iterator[Span]:
    """Yield the spans of the secrets that sentences hand over."""
    text, start, left = scan.text, 0, _MOST_LINES
    while start < scan.end and left:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = scan.low[start : min(end, start + _LONGEST_LINE)]
        if len(line) == end - start and not _SIGNS.isdisjoint(line) and any(part in line for part in ACCESS):
            left -= 1
            yield from _find_in_line(text, start, end)
        start = end + 1


def _find_in_line(text: str, start: int, end: int) -> Iterator[Span]:
    words, at = text[start:end].split(), start
    for number, word in enumerate(words):
        at = text.index(word, at)
        value = word.strip('.,;:?)(…"“”')
        before = words[number - 1].lower().strip('.,;:()"') if number else ""
        is_handed = before in _HANDS_OVER or before in _ALSO
        following = words[number + 1].lower() if number + 1 < len(words) else ""
        ends = not following or word[-1] in '.,;…)"}' or following in _GOES_ON
        if is_handed and ends and len(value) >= 7:
            form = _rate_form(value)
            if form > 1 or (form and before in _HANDS_OVER):
                begin = text.index(value, at)
                yield begin, begin + len(value), "password"
        at += len(word)


def _rate_form(value: str) -> int:
    """Return 2 for a form that only passwords have, 1 for one that names of things may have too, else 0."""
    if len(value) > 40 or value.isupper() or is_placeholder(value) or is_hex(value) or is_technical(value, words=False):
        return 0
    if not _NO_SIGNS.isdisjoint(value) or sum(map(str.isalpha, value)) < 4:
        return 0
    is_mixed = compile_once(_MIXED).search(value) is not None
    if compile_once(_MARKED).search(value) or (
        is_mixed and len(value) >= 8 and not (value.isalnum() and value.islower())
    ):
        return 2
    return int(is_mixed or compile_once(_GROUPED).match(value) is not None)
