"""Find secrets that a sentence states or hands over: "the wifi password is sunflower", "when it asks, type 0815-plant".

No pattern can tell such a secret, because it may be an ordinary word. So a linear model scores each value that may be
one, from the value itself (`stated_score.py`), the classes of the words around it (`stated_words.py`), and how far it
is from a label. It has one set of weights for each form of a value: an odd value (words with digits or signs), a
number, a word, and a phrase. An odd value is looked at wherever it is, the others only near a cue such as "password".
"""

from __future__ import annotations

from itertools import filterfalse

from limpet.lean.pattern import lazy
from limpet.secrets.rules import CUES, FOREIGN_CUES, JOINED_CUES, NUMBER_CUES
from limpet.secrets.stated_score import CODE, describe, find_form, rate_odd_value, score
from limpet.secrets.stated_words import LABELS, RUN, Token, split_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.secrets.scan import Scan, Span

NO_LIMIT, _LEAST = -99.0, -3.5
"""A number of points that each value has, and the fewest that a value may have before its neighbours are looked at."""
_ENOUGH = {"odd": 1.0}
"""The points above which a value of a form is a secret, 0 for others. Many names of servers and branches have fewer."""
_BEFORE, _AFTER = 80, 90
"""How many characters before and after a cue or an odd value are read."""
_MOST, _PER_VALUE = 2000, 200
"""How many cues and odd values of a text are looked at, and one more for so many characters. Only logs have more."""
_MOST_WORDS = 13
_WORDS_BEFORE, _WORDS_AFTER = 10, 7
_CUES = NUMBER_CUES.union(CUES)
_LETTERS_ONLY = bytes(code if code > 127 or chr(code).isalnum() else 32 for code in range(256))
_LATIN, _DIGITS = lazy(r"[!-~]{5,}"), lazy(r"\d{3}")
_FLAGS = frozenset(("act", "place", "user", "ask", "want", "give", "change", "neg", "must", "what", "desc", "field"))
_OPENS = frozenset(("is", "change", "colon", "as", "with", "give", "want", "to", "slash", "dash", "quote", *LABELS))
"""The classes of words after which an ordinary word may be a secret."""
_OPENS_PHRASE = _OPENS - {"to", "slash", "dash", "key", "code", "as"}
_CLOSES = frozenset(("^", "end", "comma", "goes", "colon", "open", "dash", "ask", "what"))
"""The classes of words before which a phrase may end."""
_QUOTED_LABELS = ("password", "passwort", "passphrase", "passcode", "kennwort")
_QUOTED = (
    rf"(?:{'|'.join(_QUOTED_LABELS)})(?: f[oü]r [\w-]{{1,30}})?"
    r"(?: is| was| lautet| ist| =|=|:){1,2} ?[\"“„«`'‘]([^\n\"”“»`'’]{4,60})[\"”“»`'’]"
)
_QUOTES = frozenset('「『“"')
_PASSED = frozenset(("adv", "quote"))
_STARTS = frozenset(("^", "end", "comma"))
_MARKS = frozenset(("end", "comma", "colon", "open", "quote", "slash", "dash"))
_MAYBE = frozenset(("", "user", "desc", "place"))
"""The classes of words that may be secrets themselves; most words have none."""


class Candidate:
    """A value that may be a secret: its place in the text, its form, and the features by which it is scored."""

    __slots__ = ("end", "features", "form", "kind", "start")

    def __init__(self, start: int, end: int, form: str, features: list[str], kind: str) -> None:
        self.start, self.end, self.form, self.features, self.kind = start, end, form, features, kind


def find_stated(scan: Scan, words: list[str]) -> Iterator[Span]:
    """Yield the spans of the secrets that sentences of a text state or hand over. `words` are the words of the text."""
    scored = []
    for each in find_candidates(scan, words, _LEAST):
        points = score(each.features, each.form)
        if points > _ENOUGH.get(each.form, 0.0):
            scored.append((-points, each.start, each.end, each.kind))
    yield from _find_quoted(scan)
    taken: list[tuple[int, int]] = []
    for _, start, end, kind in sorted(scored):
        if all(end <= begin or start >= stop for begin, stop in taken[-50:]):
            taken.append((start, end))
            yield start, end, kind


def _find_quoted(scan: Scan) -> Iterator[Span]:
    """Yield the secrets of several words that follow the name of a password in quotation marks: "Kq7 zT9"."""
    if not any(label in scan.low for label in _QUOTED_LABELS):
        return
    for match in scan.find_matches(_QUOTED, scan.low, 1):
        value = match[1]
        if any(not part.isdigit() and not part.isalpha() and part.isalnum() for part in value.split()):
            yield match.start(1), match.end(1), "password"


def find_candidates(scan: Scan, words: list[str], least: float) -> Iterator[Candidate]:
    """Yield the values of a text that may be secrets: odd ones, and near a cue also numbers, words and phrases.

    A value that has fewer than `least` points of its own is left out, because hardly any place could make up for it.
    """
    text = scan.text
    left = _MOST + len(text) // _PER_VALUE
    cues, odds = _find_cues(scan), _find_odd_values(text, words, least)
    places = sorted([*((at, True) for at in cues), *((at, False) for at in odds)])[:left]
    at = 0
    while at < len(places):
        first, is_near = places[at]
        start = max(text.rfind("\n", max(0, first - _BEFORE), first) + 1, first - _BEFORE, 0)
        if start and not text[start - 1].isspace():
            start = text.find(" ", start, first) + 1 or start
        end = first
        while at < len(places) and places[at][0] <= end + 20:
            if text.find("\n", end, places[at][0]) >= 0:
                break
            is_near |= places[at][1]
            end = places[at][0] + _AFTER
            at += 1
        line = text.find("\n", first, end)
        if line >= 0:
            end = line
        elif end < len(text):
            space = text.find(" ", end, end + 40)
            end = space if space >= 0 else end
        yield from _find_in_part(text, split_part(text, start, min(end, len(text))), is_near, least)


def _find_cues(scan: Scan) -> Iterator[int]:
    text = scan.text
    low = scan.low if text.isascii() else text.lower()
    low = low if len(low) == len(text) else scan.low
    letters = low.encode("utf-8", "surrogatepass").translate(_LETTERS_ONLY)
    words = _CUES.intersection(letters.decode("utf-8", "surrogatepass").split())
    numbers = words & NUMBER_CUES
    cues = [cue + CUES[cue] for cue in words if cue in CUES]
    cues += [cue for cue in JOINED_CUES if cue in low]
    if not text.isascii():
        cues += [cue for cue in FOREIGN_CUES if cue in low]
    for cue in (*cues, *numbers):
        at = low.find(cue)
        while 0 <= at < scan.end:
            is_whole = not (
                cue in words and (low[at - 1 : at].isalnum() or low[at + len(cue) : at + len(cue) + 1].isalnum())
            )
            if is_whole and (cue not in numbers or _DIGITS.search(low, max(0, at - _BEFORE), at + _AFTER)):
                yield at
            at = low.find(cue, at + (_BEFORE // 2 if is_whole else 1))


def _find_odd_values(text: str, words: list[str], least: float) -> Iterator[int]:
    if not text.isascii():
        words = _LATIN.findall(text)
    at = 0
    for word in filterfalse(str.isalpha, words):
        if len(word) > 4 and not word[:-1].isalpha() and CODE.isdisjoint(word[1:-2]):
            value = word.strip(".,;:?()\"'`*[]{}")
            if len(value) > 4 and not value.replace("-", "").isalpha() and rate_odd_value(value) > least:
                at = text.index(value, at)
                yield at
                at += len(value)


def _find_in_part(text: str, tokens: list[Token], is_near: bool, least: float) -> Iterator[Candidate]:
    is_spoken = is_near or sum([bool(name) and name not in _MARKS for _, _, name in tokens]) > 1
    before, name = "^", "quote"
    for at, (first, last, following) in enumerate(tokens):
        if name not in _PASSED:
            before = name
        name = following
        value = text[first:last]
        if name not in _MAYBE:
            pass
        elif value.isalpha():
            is_open = is_near and _may_be_word(before, _look(tokens, at, 1)[0])
            if is_open and (value[0] < RUN[0] or text[first - 1 : first] in _QUOTES) and find_form(value):
                yield from _make(text, tokens, at, at, "word", least)
        elif is_near or is_spoken:
            form = find_form(value)
            if form == "number" and is_near:
                pair = text[last : tokens[at + 1][1]] if at + 1 < len(tokens) else ""
                if last - first in (3, 4) and len(pair) == last - first + 1 and pair[0] == " " and pair[1:].isdigit():
                    yield from _make(text, tokens, at, at + 1, form, least)
                if last - first >= 4:
                    yield from _make(text, tokens, at, at, form, least)
            elif form == "odd" or (form and is_near and _may_be_word(before, _look(tokens, at, 1)[0])):
                yield from _make(text, tokens, at, at, form, least)
        if is_near and (before in _OPENS_PHRASE or (before in _STARTS and not name)):
            yield from _find_phrases(text, tokens, at, least)


def _may_be_word(before: str, after: str) -> bool:
    return before in _OPENS or after in ("is", "as", "dash") or (before == "end" and after in ("end", "^"))


def _find_phrases(text: str, tokens: list[Token], at: int, least: float) -> Iterator[Candidate]:
    """Yield the words from a place on, up to the first and up to the last place where a clause may end."""
    stops = []
    for stop in range(at, min(len(tokens), at + _MOST_WORDS)):
        first, end, name = tokens[stop]
        if stop - at >= 2 and (name in _CLOSES or name in ("is", "as", "adv", "quote")):
            stops.append(stop)
        if not text[first:end].replace("-", "").replace("'", "").isalpha() or RUN[0] <= text[first] <= RUN[1]:
            break
    else:
        if len(tokens) - at in range(2, _MOST_WORDS + 1):
            stops.append(len(tokens))
    for stop in {*stops[:1], *stops[-1:]}:
        yield from _make(text, tokens, at, stop - 1, "phrase", least)


def _look(tokens: list[Token], at: int, step: int) -> tuple[str, int]:
    """Return the class of the next word in a direction, and its place; adverbs and quotation marks are passed over."""
    at += step
    while 0 <= at < len(tokens) and tokens[at][2] in _PASSED:
        at += step
    return (tokens[at][2], at) if 0 <= at < len(tokens) else ("^", at)


def _make(text: str, tokens: list[Token], first: int, last: int, form: str, least: float) -> Iterator[Candidate]:
    """Yield a candidate with its features: those of the value, of its neighbours, and of the words before and after."""
    start, end = tokens[first][0], tokens[last][1]
    names = [name for _, _, name in tokens[first : last + 1]]
    if form == "phrase" and least > NO_LIMIT and 2 * sum(map(bool, names)) > len(names):
        return
    features = describe(text[start:end], form, names)
    if least > NO_LIMIT and score(features, form) < least:
        return
    add = features.append
    before, at = _look(tokens, first, -1)
    earlier, _ = _look(tokens, at, -1)
    after, follow = _look(tokens, last, 1)
    later, _ = _look(tokens, follow, 1)
    if first and tokens[first - 1][2] == "quote" and last + 1 < len(tokens) and tokens[last + 1][2] == "quote":
        add("quoted")
    features += [f"-1 {before}", f"-2 {earlier}", f"-2 {earlier} {before}", f"+1 {after}", f"+2 {after} {later}"]
    said = [name for _, _, name in tokens[max(0, first - _WORDS_BEFORE) : last + 1 + _WORDS_AFTER] if name]
    add(f"said {min(len(said) - sum(map(_MARKS.__contains__, said)), 4)}")
    label, is_same, seen = "", True, set()
    for distance, (_, _, name) in enumerate(reversed(tokens[max(0, first - _WORDS_BEFORE) : first]), 1):
        if name in LABELS and not label:
            label = name
            near = distance if distance < 3 else 4 if distance < 5 else 7 if distance < 8 else 9
            add(f"<{name} {near}" if is_same else f"<{name} {near} apart")
            add(f"<{name} {before}")
        elif name == "end":
            is_same = False
        elif name in _FLAGS:
            seen.add(("<" if is_same else "<<") + name)
    is_same, right = True, ""
    for distance, (at, _, name) in enumerate(tokens[last + 1 : last + 1 + _WORDS_AFTER], 1):
        if name in LABELS and not right:
            right = name
            near = distance if distance < 2 else 3 if distance < 4 else 7
            add(f">{name} {near}" if is_same else f">{name} {near} apart")
            add(f">{name} {after}")
        elif name == "end":
            is_same = False
            if text[at] == "?":
                seen.add(">?")
        elif name in _FLAGS:
            seen.add((">" if is_same else ">>") + name)
    if not label:
        add("no label before" if right else "no label")
    if "no label" in features and not seen:
        add("nothing near")
    features += seen
    kind = "login" if before == "slash" else "token" if (label or right) == "key" else "password"
    yield Candidate(start, end, form, features, kind)
