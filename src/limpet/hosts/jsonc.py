"""Change single entries of a JSON text and leave every other byte alone: comments, order, indentation, line endings.

Settings files belong to people. Loading a file and writing it again would lose its comments and its layout, so the text
is only parsed to find the positions of its entries, and entries are inserted into or removed from the text itself.
Comments and a comma after the last entry are accepted, since people write them.

A settings file can contain megabytes of history. So a value that the edit does not touch is read by Python's own
decoder, which is fast and returns where the value ends. Only a value that contains comments is parsed here.
"""

from __future__ import annotations

import json
from json.decoder import JSONDecodeError, JSONDecoder

from limpet.errors import NotJson
from limpet.lean.pattern import lazy
from limpet.lean.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

BOM = "\ufeff"

_TRIVIA = lazy(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)*+")
_INDENTED = lazy(r"[\r\n]([ \t]+)[^ \t\r\n*/]")
_SPACE = " \t\r\n"
_LONG = 4_096


@record
class JsonEntry:
    """One entry of an object or a list."""

    key: str | int
    """The key of the entry; in a list, its index."""
    begin: int
    """The position of the entry; in an object, the position of its key."""
    start: int
    """The position of the value."""
    end: int


@record
class Container:
    """The position of an object or a list in the text, with its entries; any other value has no entries."""

    start: int
    end: int
    entries: tuple[JsonEntry, ...] = ()

    def find(self, key: str) -> JsonEntry | None:
        """Return the entry of a key; the last one if the key occurs twice, as JSON parsers do."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)


def load(text: str) -> dict[str, Any]:
    """Parse a JSON document with comments, which must be an object; an empty text is an empty object."""
    reader = _Reader(text)
    if reader.is_empty:
        return {}
    try:
        value, end = reader.value(reader.first)
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    if (rest := reader.after(end)) != len(text):
        raise reader.error("something follows the end", rest)
    if not isinstance(value, dict):
        raise NotJson("it holds no object")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


class _Reader:
    """A parser that reads values of a text from any position."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 1 if text.startswith(BOM) else 0
        self.first = self.after(self.start)
        self.is_empty = not text[self.start :].strip(_SPACE)
        self._decoder = JSONDecoder(parse_constant=_refuse)

    def error(self, what: str, at: int) -> NotJson:
        return NotJson(f"line {self.text.count(chr(10), 0, at) + 1}: {what}")

    def after(self, at: int) -> int:
        """Return the position of the next character that is neither white space nor part of a comment."""
        found = _TRIVIA.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int) -> tuple[Any, int]:
        """Return the value at a position, and the position after it."""
        try:
            return self._decoder.raw_decode(self.text, at)
        except ValueError as error:
            found = self.text[at : at + 1]
            if found == "{" or found == "[":
                values, container = self.container(at)
                return values, container.end
            if found == '"':
                where = error.pos if isinstance(error, JSONDecodeError) else at
                raise self.error("a text is not closed or not escaped", where) from None
            raise self.error("a value is missing" if found else "the text ends too early", at) from None

    def container(self, start: int) -> tuple[Any, Container]:
        """Return the content of an object or a list, and the positions of its entries."""
        opening = self.text[start]
        closing = "}" if opening == "{" else "]"
        entries: list[JsonEntry] = []
        values: list[Any] = []
        at = self.after(start + 1)
        while self.text[at : at + 1] != closing:
            begin, key = at, len(entries)
            if opening == "{":
                key, at = self.key(at)  # type: ignore[assignment]
            value, end = self.value(at)
            values.append(value)
            entries.append(JsonEntry(key=key, begin=begin, start=at, end=end))
            at = self.after(end)
            if self.text[at : at + 1] == ",":
                at = self.after(at + 1)
            elif self.text[at : at + 1] != closing:
                raise self.error(f"a comma or {closing!r} is missing", at)
        whole: Any = values
        if opening == "{":
            whole = {entry.key: value for entry, value in zip(entries, values, strict=True)}
        return whole, Container(start=start, end=at + 1, entries=tuple(entries))

    def key(self, at: int) -> tuple[str, int]:
        """Return the key at a position, and the position of its value."""
        if self.text[at : at + 1] != '"':
            raise self.error("a key in quotation marks is missing", at)
        key, end = self.value(at)
        at = self.after(end)
        if self.text[at : at + 1] != ":":
            raise self.error("a colon is missing", at)
        return key, self.after(at + 1)


def _root(text: str) -> Container:
    reader = _Reader(text)
    if reader.is_empty:
        return Container(start=reader.start, end=reader.start)
    return reader.container(reader.first)[1]


def _open(text: str, entry: JsonEntry) -> Container:
    """Return the entries of the value of an entry."""
    if text[entry.start] in "{[":
        return _Reader(text).container(entry.start)[1]
    return Container(start=entry.start, end=entry.end)


def fold_long_values(text: str, keep: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Return the text with short placeholders in place of its long values, and the value of each placeholder.

    Several edits in a row parse the text several times, which is slow for megabytes. The values of `keep` stay. A text
    whose layout depends on its long values is returned unchanged.
    """
    root = _root(text)
    if not root.entries or ("\n" in text and "\n" not in text[root.start : root.entries[0].begin]):
        return text, {}
    folded: dict[str, str] = {}
    for number, entry in reversed(list(enumerate(root.entries))):
        mark = f'"\\u0000limpet {number}"'
        if entry.end - entry.start > _LONG and entry.key not in keep and mark not in text:
            folded[mark] = text[entry.start : entry.end]
            text = text[: entry.start] + mark + text[entry.end :]
    return text, folded


def unfold(text: str, folded: dict[str, str]) -> str:
    """Return the text with its long values in place of the placeholders."""
    for mark, value in folded.items():
        text = text.replace(mark, value)
    return text


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with `value` at `path`, in place of an existing value; missing objects are created."""
    container = _root(text)
    for depth, key in enumerate(path):
        entry = container.find(key)
        if entry is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _add(text, container, key, value)
        if depth == len(path) - 1:
            return text[: entry.start] + _render(text, value, _line_indent(text, entry.start)) + text[entry.end :]
        container = _open(text, entry)
    return text


def append(text: str, path: tuple[str, ...], item: Any) -> str:
    """Return the text with one more item at the end of the list at `path`."""
    container = _root(text)
    for key in path:
        entry = container.find(key)
        if entry is None:
            return put(text, path, [item])
        container = _open(text, entry)
    return _add(text, container, None, item)


def drop(text: str, path: tuple[str | int, ...]) -> str:
    """Return the text without the entry at `path`. Its neighbours and all comments stay."""
    container = _root(text)
    for key in path[:-1]:
        entry = container.entries[key] if isinstance(key, int) else container.find(key)
        if entry is not None:
            container = _open(text, entry)
    for number in reversed([number for number, entry in enumerate(container.entries) if entry.key == path[-1]]):
        text = _remove(text, container, number)
    return text


def _add(text: str, container: Container, key: str | None, value: Any) -> str:
    if container.start == container.end:
        return text[: container.start] + _render(text, {key: value}, "") + (text[container.end :] or _newline(text))
    close = container.end - 1
    last = container.entries[-1].end if container.entries else container.start + 1
    comma = _find_comma(text, last, close) if container.entries else None
    if not _is_spread(text, container):
        entry = _entry(key, json.dumps(value, ensure_ascii=False))
        if comma is not None:
            return f"{text[: comma + 1]} {entry},{text[comma + 1 :]}"
        return f"{text[:last]}{', ' if container.entries else ''}{entry}{text[last:]}"
    outer = _line_indent(text, container.start)
    inner = outer + _unit(text)
    if container.entries and "\n" in text[container.start : container.entries[0].begin]:
        inner = _line_indent(text, container.entries[0].begin)
    entry = _newline(text) + inner + _entry(key, _render(text, value, inner))
    # A comment behind the last entry stays behind it: the new one goes after the comment, its comma before.
    point = len(text[:close].rstrip(_SPACE))
    if not container.entries:
        return text[:point] + entry + _newline(text) + outer + text[close:]
    if comma is not None:
        return text[:point] + entry + "," + text[point:]
    return text[:last] + "," + text[last:point] + entry + text[point:]


def _remove(text: str, container: Container, number: int) -> str:
    start, end = container.entries[number].begin, container.entries[number].end
    lead = len(text[:start].rstrip(_SPACE))
    comma = _find_comma(text, end, container.end - 1)
    tail = text[end:] if comma is None else text[end:comma] + text[comma + 1 :]
    space = tail[: len(tail) - len(tail.lstrip(_SPACE))]
    if "\n" in text[lead:start] and "\n" not in space:
        # What follows on the same line may not slip behind a comment on the line before.
        lead, tail = start, tail[len(space) :]
    text = text[:lead] + tail
    if comma is None and number:
        before = _find_comma(text, container.entries[number - 1].end, lead)
        text = text if before is None else text[:before] + text[before + 1 :]
    inside = text[container.start + 1 :].lstrip(_SPACE)
    if len(container.entries) == 1 and inside[:1] in ("}", "]"):
        text = text[: container.start + 1] + inside
    return text


def _find_comma(text: str, start: int, end: int) -> int | None:
    """Return the position of the comma after an entry, or None if there is none; a comment may come between them."""
    found = _TRIVIA.match(text, start)
    at = found.end() if found else start
    return at if at < end and text[at] == "," else None


def _is_spread(text: str, container: Container) -> bool:
    """Tell whether the entries of a container are on separate lines; an empty one follows its document."""
    if container.entries:
        return "\n" in text[container.start : container.end]
    document = text.strip(_SPACE + BOM)
    return "\n" in document or container.end - container.start == len(document)


def _entry(key: str | None, rendered: str) -> str:
    return rendered if key is None else f"{json.dumps(key, ensure_ascii=False)}: {rendered}"


def _render(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_newline(text) + indent).join(lines)


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _unit(text: str) -> str:
    """Return the indentation of the document, taken from its first indented line."""
    found = _INDENTED.search(text)
    return found.group(1) if found else "  "


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip(BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]
