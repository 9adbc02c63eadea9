"""Cite the files that a text names. A citation consists of a file path, a span of lines, and a hash of these lines.

The text may be hostile. So a name is first checked as text, and a file is only opened if it is a regular file inside
the root folder and not in `.git`, with symlinks resolved.
"""

from __future__ import annotations

import os

from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.model.memory import Citation
from limpet.workspace.files import canonical_path, is_inside, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAX_CITATIONS = 8
_MAX_NAMES = 200
_TEXT_LIMIT = 65_536
_FILE_LIMIT = 2_000_000
_NAME_LIMIT = 300
_MAX_PLACES = 3000

_WORD = lazy(r"`([^`\n]{1,300})`|([^\s`'\"<>()\[\]{},;|*]+)")
_INNER = lazy(r"[^\s'\"<>()\[\]{},;|*]+")
# A slash or a dot within the word: "src/a", "b.py".
_PATHLIKE = lazy(r"[^/.\\][/.\\][^/.\\]")
# For languages that are written without spaces: 「src/a.pyを直した」.
_ASCII_RUN = lazy(r"[A-Za-z0-9_./\\@+~:#-]{3,}")
_LINES = lazy(r"(?::(\d{1,7})(?:-(\d{1,7})|:\d{1,7})?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$")


def cite(text: str, files: Iterable[str], root: str, *, commit: str | None = None) -> list[Citation]:
    """Return citations of the files that `text` names, and then of the other files in `files`.

    `files` are the paths of the files that a tool call has read or changed. A name counts if it is the path of a file
    relative to the folder `root`, or the end of exactly one path in `files`.
    """
    files, mentions = tuple(files), tuple(find_mentions(text[:_TEXT_LIMIT]))
    # Most texts name no file; the root is looked up only for those that do.
    top = canonical_path(root) if files or mentions else None
    if top is None:
        return []
    touched = [path for path in (_path_below(name, top, known=True) for name in files) if path is not None]
    found: dict[tuple[str, int, int], Citation] = {}
    contents: dict[str, list[bytes] | None] = {}

    def add(path: str, span: tuple[int, int] | None) -> None:
        if path not in contents:
            contents[path] = _read_lines(top, path)
        lines = contents[path]
        if lines is None or (span is None and any(path == cited for cited, _, _ in found)):
            return
        # Without a span, or with one beyond the end, the whole file is cited.
        start, end = (1, len(lines)) if span is None or span[0] > len(lines) else (span[0], min(span[1], len(lines)))
        made = Citation(path=path, start=start, end=end, span_hash=hash_lines(lines, start, end), commit=commit)
        found.setdefault((path, start, end), made)

    for name, span in mentions:
        path = _resolve_name(name, top, touched)
        if path is not None:
            add(path, span)
        if len(found) >= _MAX_CITATIONS:
            return list(found.values())
    for path in touched:
        add(path, None)
    return list(found.values())[:_MAX_CITATIONS]


def hash_span(root: str, path: str, start: int, end: int) -> str | None:
    """Return the hash of the lines `start` to `end` of a file as it is now; None if they do not exist."""
    top = canonical_path(root)
    inside = None if top is None else _path_below(path, top)
    lines = None if top is None or inside is None else _read_lines(top, inside)
    if lines is None or not 1 <= start <= end or end > max(1, len(lines)):
        return None
    return hash_lines(lines, start, end)


def find_span(root: str, path: str, length: int, span_hash: str) -> int | None:
    """Return the number of the first line of the span with the hash `span_hash`; None if it is not found.

    `length` is the number of lines in the span. Only the first part of a long file is searched.
    """
    top = canonical_path(root)
    inside = None if top is None else _path_below(path, top)
    lines = None if top is None or inside is None else _read_lines(top, inside)
    if lines is None or length < 1:
        return None
    last = min(len(lines) - length + 1, _MAX_PLACES)
    return next(
        (start for start in range(1, last + 1) if hash_lines(lines, start, start + length - 1) == span_hash), None
    )


def find_mentions(text: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Yield each word that may be a file name, once, with the line range that follows it in the text, or None."""
    seen: set[str] = set()
    for word in _find_words(text):
        word = word.rstrip(".,:!?…。，、")
        if not 0 < len(word) <= _NAME_LIMIT or word in seen or "://" in word:
            continue
        if len(seen) >= _MAX_NAMES:
            return
        seen.add(word)
        lines = _LINES.search(word)
        if lines is None:
            yield word, None
            continue
        first = int(lines[1] or lines[3])
        last = int(lines[2] or lines[4] or first)
        yield word[: lines.start()], ((min(first, last), max(first, last)) if first and last else None)


def _find_words(text: str) -> Iterator[str]:
    for quoted, word in _WORD.findall(text):
        if quoted:
            # A quoted text may be a name with spaces, a word such as `Makefile`, or a command that names files.
            yield quoted.strip()
            words = _INNER.findall(quoted)
        elif "." in word or "/" in word or "\\" in word:
            words = [word]
        else:
            continue
        for each in words:
            yield from filter(_PATHLIKE.search, [each] if each.isascii() else [each, *_ASCII_RUN.findall(each)])


def _resolve_name(name: str, top: str, touched: list[str]) -> str | None:
    name = name.replace("\\", "/") if os.sep == "/" else name
    path = _path_below(name, top)
    if path is not None and os.path.isfile(os.path.join(top, path)):
        return path
    ending = "/" + name.replace("\\", "/").removeprefix("./")
    ends = {path for path in touched if ("/" + path).endswith(ending)}
    return ends.pop() if len(ends) == 1 else None


def _path_below(name: str, top: str, *, known: bool = False) -> str | None:
    """Return the path of a file relative to the root folder `top`; None if the name leads out of this folder.

    An absolute name outside the folder is resolved only if it is `known`, because a tool call has used it.
    """
    if not name or "\0" in name or name.startswith(("//", "\\\\")):
        # On Windows, two slashes begin the name of another machine, which would be contacted to look for the file.
        return None
    if os.path.isabs(name):
        plain = os.path.normpath(name)
        if not is_inside(plain, top):
            followed = canonical_path(plain) if known else None
            if followed is None or not is_inside(followed, top):
                return None
            plain = followed
        name = os.path.relpath(plain, top)
    elif os.path.splitdrive(name)[0]:
        return None
    name = os.path.normpath(name)
    if name.split(os.sep, 1)[0] in ("..", "."):
        return None
    real = canonical_path(os.path.join(top, name))
    if real is None or not is_inside(real, top):
        return None
    path = os.path.relpath(real, top).replace(os.sep, "/")
    return None if ".git" in path.lower().split("/") else path


def _read_lines(top: str, path: str) -> list[bytes] | None:
    data = read_file(os.path.join(top, path), _FILE_LIMIT + 1)
    if data is None or len(data) > _FILE_LIMIT:
        return None
    return split_lines(data)


def split_lines(data: bytes) -> list[bytes]:
    """Split the content of a file into lines, with any kind of line ending; a final line ending adds no empty line."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")


def hash_lines(lines: list[bytes], start: int, end: int) -> str:
    """Return the hash that a citation has for the lines `start` to `end`, which are counted from 1."""
    return sha256(b"\n".join(lines[start - 1 : end])).hexdigest()[:32]
