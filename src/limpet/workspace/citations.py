"""The files that a text names, as they are now: a citation is a span of lines and its hash.

The text may be hostile, so a name is judged as text first and touches the disk only when it stays below the root;
what is opened is a regular file there, reached without leaving through a symlink, and never git's own.
"""

from __future__ import annotations

import os

from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.model.memory import Citation
from limpet.workspace.files import canonical, is_inside, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST = 8
_TRIES = 200
_TEXT_LIMIT = 65_536
_FILE_LIMIT = 2_000_000
_NAME_LIMIT = 300
_PLACES = 3000

_WORD = lazy(r"`([^`\n]{1,300})`|([^\s`'\"<>()\[\]{},;|*]+)")
_INNER = lazy(r"[^\s'\"<>()\[\]{},;|*]+")
# A slash or a dot within the word: "src/a", "b.py".
_PATHLIKE = lazy(r"[^/.\\][/.\\][^/.\\]")
# For scripts that put no space around a name: 「src/a.pyを直した」.
_ASCII_RUN = lazy(r"[A-Za-z0-9_./\\@+~:#-]{3,}")
_LINES = lazy(r"(?::(\d{1,7})(?:-(\d{1,7})|:\d{1,7})?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$")


def cite(text: str, files: Iterable[str], root: str, *, commit: str | None = None) -> list[Citation]:
    """Citations of the files named in `text`, then of `files` (from a tool call) that it does not name.

    A name counts that is a path from the root, or the end of exactly one of `files`. The tree is not searched.
    """
    top = canonical(root)
    if top is None:
        return []
    touched = [path for path in (_below(name, top, known=True) for name in files) if path is not None]
    found: dict[tuple[str, int, int], Citation] = {}
    contents: dict[str, list[bytes] | None] = {}

    def add(path: str, span: tuple[int, int] | None) -> None:
        if path not in contents:
            contents[path] = _lines(top, path)
        lines = contents[path]
        if lines is None or (span is None and any(path == cited for cited, _, _ in found)):
            return
        start, end = _clipped(span, len(lines))
        made = Citation(path=path, start=start, end=end, span_hash=_hash(lines, start, end), commit=commit)
        found.setdefault((path, start, end), made)

    for name, span in _mentions(text[:_TEXT_LIMIT]):
        path = _meant(name, top, touched)
        if path is not None:
            add(path, span)
        if len(found) >= _MOST:
            return list(found.values())
    for path in touched:
        add(path, None)
    return list(found.values())[:_MOST]


def hash_span(root: str, path: str, start: int, end: int) -> str | None:
    """The hash that the span has now; None when the file or its lines are gone."""
    top = canonical(root)
    inside = None if top is None else _below(path, top)
    lines = None if top is None or inside is None else _lines(top, inside)
    if lines is None or not 1 <= start <= end or end > max(1, len(lines)):
        return None
    return _hash(lines, start, end)


def find_span(root: str, path: str, length: int, span_hash: str) -> int | None:
    """The line at which a span of so many lines stands now; only so many places are tried."""
    top = canonical(root)
    inside = None if top is None else _below(path, top)
    lines = None if top is None or inside is None else _lines(top, inside)
    if lines is None or length < 1:
        return None
    last = min(len(lines) - length + 1, _PLACES)
    return next((start for start in range(1, last + 1) if _hash(lines, start, start + length - 1) == span_hash), None)


def _mentions(text: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Each name that may be a file's, once, with the lines that it is mentioned with."""
    seen: set[str] = set()
    for word in _words(text):
        word = word.rstrip(".,:!?…。，、")
        if not 0 < len(word) <= _NAME_LIMIT or word in seen or "://" in word:
            continue
        if len(seen) >= _TRIES:
            return
        seen.add(word)
        lines = _LINES.search(word)
        if lines is None:
            yield word, None
            continue
        first = int(lines[1] or lines[3])
        last = int(lines[2] or lines[4] or first)
        yield word[: lines.start()], ((min(first, last), max(first, last)) if first and last else None)


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        quoted, word = found[1], found[2]
        if quoted is not None:
            # A name with spaces, or a word like `Makefile`; else a command that names files.
            yield quoted.strip()
            words = _INNER.findall(quoted)
        else:
            words = [word]
        for each in words:
            yield from filter(_PATHLIKE.search, [each] if each.isascii() else [each, *_ASCII_RUN.findall(each)])


def _meant(name: str, top: str, touched: list[str]) -> str | None:
    name = name.replace("\\", "/") if os.sep == "/" else name
    path = _below(name, top)
    if path is not None and os.path.isfile(os.path.join(top, path)):
        return path
    ending = "/" + name.replace("\\", "/").removeprefix("./")
    ends = {path for path in touched if ("/" + path).endswith(ending)}
    return ends.pop() if len(ends) == 1 else None


def _below(name: str, top: str, *, known: bool = False) -> str | None:
    """The path from the root of a name that stays below it. `known`: the agent has used it, so it may be followed."""
    if not name or "\0" in name or name.startswith(("//", "\\\\")):
        # Two slashes are another machine on Windows: even asking whether the file exists would call there.
        return None
    if os.path.isabs(name):
        plain = os.path.normpath(name)
        if not is_inside(plain, top):
            followed = canonical(plain) if known else None
            if followed is None or not is_inside(followed, top):
                return None
            plain = followed
        name = os.path.relpath(plain, top)
    elif os.path.splitdrive(name)[0]:
        return None
    name = os.path.normpath(name)
    if name.split(os.sep, 1)[0] in ("..", "."):
        return None
    real = canonical(os.path.join(top, name))
    if real is None or not is_inside(real, top):
        return None
    path = os.path.relpath(real, top).replace(os.sep, "/")
    return None if ".git" in path.lower().split("/") else path


def _lines(top: str, path: str) -> list[bytes] | None:
    data = read(os.path.join(top, path), _FILE_LIMIT + 1)
    if data is None or len(data) > _FILE_LIMIT:
        return None
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")


def _clipped(span: tuple[int, int] | None, count: int) -> tuple[int, int]:
    """The whole file when no lines, or none that exist, are named."""
    if span is None or span[0] > count:
        return 1, count
    return span[0], min(span[1], count)


def _hash(lines: list[bytes], start: int, end: int) -> str:
    return sha256(b"\n".join(lines[start - 1 : end]))[:32]
