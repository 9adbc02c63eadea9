"""Split a part of a text into words and marks, and name the class of each: a label, a verb that links, a place, …

The classes are those of `stated.table`. Most words of a text have none.
"""

from __future__ import annotations

import os

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = "stated.table"
LABELS = frozenset(("pass", "phrase", "code", "key"))
RUN = ("\u3041", "\ud7a3")
"""The first and the last letter of the scripts without spaces, and of Korean."""
_MOST_KNOWN, _LONGEST = 5000, 6
_RUN = "\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
_SPLITS = '\\s"`“”„‘’«»「」『』（）。，、；：！？…'
_ENDS = ".,;:?)\\]}'*>"
_TOKEN = lazy(r"[^\s\"`'.,;:?!(\[{)\]}*<>=/—–-](?:[^\s\"`]*[^\s\"`.,;:?)\]}'*>])?|\S")
_FOREIGN_TOKEN = lazy(
    rf"[{_RUN}]+|[^{_SPLITS}{_RUN}'.,;:?!(\[{{)\]}}*<>=/—–-](?:[^{_SPLITS}{_RUN}]*[^{_SPLITS}{_RUN}{_ENDS}])?|\S"
)
_PAIR = lazy(r"([\w.@+-]+)([/:])([^\s/:]+)$")

Token = tuple[int, int, str]
"""The start and the end of a word or a mark, and its class."""

_classes: dict[str, str] = {}
_known: dict[str, str] = {}


def split_part(text: str, start: int, end: int) -> list[Token]:
    """Return the words and marks of a part of a text, each with its class, or "" if it has none."""
    tokens: list[Token] = []
    for match in (_TOKEN if text.isascii() else _FOREIGN_TOKEN).finditer(text, start, end):
        word, at = match[0], match.start()
        name = _classify(word)
        if not name and RUN[0] <= word[0] <= RUN[1]:
            tokens += _split_run(word, at)
            continue
        if not name and ("/" in word or ":" in word) and not word.startswith("REDACTED:"):
            pair = _PAIR.match(word)
            if pair is not None:
                tokens.append((at, at + pair.end(1), _classify(pair[1])))
                tokens.append((at + pair.start(2), at + pair.end(2), "slash"))
                at, word = at + pair.start(3), pair[3]
                name = _classify(word)
        tokens.append((at, at + len(word), name))
    return tokens


def _classify(word: str) -> str:
    name = _known.get(word)
    if name is None:
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        name = _known[word] = _find_class(word.lower())
    return name


def _find_class(low: str) -> str:
    """Return the class of a word in lower case, or "" if it has none."""
    classes = _classes or _load_classes()
    if low not in classes:
        low = low.rstrip("!").replace("’", "'")
    name = classes.get(low)
    if name is None and len(low) > 4:
        name = classes.get(low[:5] + "*") or classes.get("*" + low[-5:])
        if name is None and "-" in low:
            part = classes.get(low.rpartition("-")[2])
            name = part if part in LABELS else None
    return name or ""


def _split_run(run: str, at: int) -> Iterator[Token]:
    """Yield the known words of a script without spaces, and what is between them as one word each."""
    classes = _classes or _load_classes()
    begin = place = 0
    while place < len(run):
        most = min(_LONGEST, len(run) - place)
        size = next((size for size in range(most, 0, -1) if run[place : place + size] in classes), 0)
        if size:
            if place > begin:
                yield at + begin, at + place, ""
            begin = place + size
            yield at + place, at + begin, classes[run[place:begin]]
        place += size or 1
    if begin < len(run):
        yield at + begin, at + len(run), ""


def _load_classes() -> dict[str, str]:
    # Read here, because a hook that captures loads nothing else that `text.tables` needs.
    name = ""
    with open(os.path.join(os.path.dirname(__file__), TABLE), encoding="utf-8") as file:
        for line in file:
            if line[0] not in "# \n":
                name = line.rstrip()
            for word in line.split() if line[0] == " " else ():
                _classes[word] = name
    return _classes
