"""Change single entries of a JSON text and keep all other bytes: comments, order, indentation and line endings.

People edit settings files by hand. Loading such a file and writing it again would lose its comments and its layout. So
the text is only parsed to find the positions of its entries, and entries are inserted or removed in the text itself.
Comments and a comma after the last entry are accepted.

A settings file can contain megabytes of history. So values are read by Python's decoder, which is fast and returns
where a value ends. Only a value that this decoder cannot read, such as one with comments, is parsed here.
"""

from __future__ import annotations

import json
from json.decoder import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from limpet.errors import NotJson
from limpet.lean.pattern import lazy
from limpet.lean.record import record

BOM = "\ufeff"

_SPACE_OR_COMMENTS = lazy(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)*+")
_INDENTED = lazy(r"[\r\n]([ \t]+)[^ \t\r\n*/]")
_SPACE = " \t\r\n"
_LONG_VALUE = 4_096


@record
class JsonEntry:
    """One entry of an object or a list."""

    key: str | int
    """The key of the entry in an object, or its index in a list."""
    begin: int
    """The position at which the entry begins: with its key in an object, with its value in a list."""
    start: int
    """The position at which the value begins."""
    end: int
    """The position after the value."""


@record
class Container:
    """The position of a value in the text, and its entries if it is an object or a list."""

    start: int
    end: int
    entries: tuple[JsonEntry, ...] = ()

    def find(self, key: str) -> JsonEntry | None:
        """Return the entry with a key; None if there is none. If a key occurs twice, the last one counts."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)


def load(text: str) -> dict[str, Any]:
    """Parse a JSON object that may contain comments; an empty text is an empty object.

    Raise NotJson if the text is anything else.
    """
    reader = _Reader(text)
    if reader.is_empty:
        return {}
    try:
        value, end = reader.parse_value(reader.first)
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    if (rest := reader.skip_space(end)) != len(text):
        raise reader.make_error("something follows the end", rest)
    if not isinstance(value, dict):
        raise NotJson("it holds no object")
    return value


def _reject_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


class _Reader:
    """A parser that can read the value at any position of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 1 if text.startswith(BOM) else 0
        self.first = self.skip_space(self.start)
        self.is_empty = not text[self.start :].strip(_SPACE)
        self._decoder = JSONDecoder(parse_constant=_reject_constant)

    def make_error(self, what: str, at: int) -> NotJson:
        return NotJson(f"line {self.text.count(chr(10), 0, at) + 1}: {what}")

    def skip_space(self, at: int) -> int:
        """Return the position of the first character at or after `at` that is not white space or part of a comment."""
        found = _SPACE_OR_COMMENTS.match(self.text, at)
        return found.end() if found else at

    def parse_value(self, at: int) -> tuple[Any, int]:
        """Parse the value at a position; return it and the position after it."""
        try:
            return self._decoder.raw_decode(self.text, at)
        except ValueError as error:
            found = self.text[at : at + 1]
            if found == "{" or found == "[":
                values, container = self.parse_container(at)
                return values, container.end
            if found == '"':
                where = error.pos if isinstance(error, JSONDecodeError) else at
                raise self.make_error("a text is not closed or not escaped", where) from None
            raise self.make_error("a value is missing" if found else "the text ends too early", at) from None

    def parse_container(self, start: int) -> tuple[Any, Container]:
        """Parse the object or list at a position; return it and the positions of its entries."""
        opening = self.text[start]
        closing = "}" if opening == "{" else "]"
        entries: list[JsonEntry] = []
        values: list[Any] = []
        at = self.skip_space(start + 1)
        while self.text[at : at + 1] != closing:
            begin, key = at, len(entries)
            if opening == "{":
                key, at = self.parse_key(at)  # type: ignore[assignment]
            value, end = self.parse_value(at)
            values.append(value)
            entries.append(JsonEntry(key=key, begin=begin, start=at, end=end))
            at = self.skip_space(end)
            if self.text[at : at + 1] == ",":
                at = self.skip_space(at + 1)
            elif self.text[at : at + 1] != closing:
                raise self.make_error(f"a comma or {closing!r} is missing", at)
        whole: Any = values
        if opening == "{":
            whole = {entry.key: value for entry, value in zip(entries, values, strict=True)}
        return whole, Container(start=start, end=at + 1, entries=tuple(entries))

    def parse_key(self, at: int) -> tuple[str, int]:
        """Parse the key at a position; return it and the position of its value."""
        if self.text[at : at + 1] != '"':
            raise self.make_error("a key in quotation marks is missing", at)
        key, end = self.parse_value(at)
        at = self.skip_space(end)
        if self.text[at : at + 1] != ":":
            raise self.make_error("a colon is missing", at)
        return key, self.skip_space(at + 1)


def _parse_root(text: str) -> Container:
    reader = _Reader(text)
    if reader.is_empty:
        return Container(start=reader.start, end=reader.start)
    return reader.parse_container(reader.first)[1]


def _parse_value_of(text: str, entry: JsonEntry) -> Container:
    """Return the position of an entry's value, and the entries of this value if it is an object or a list."""
    if text[entry.start] in "{[":
        return _Reader(text).parse_container(entry.start)[1]
    return Container(start=entry.start, end=entry.end)


def fold_long_values(text: str, keep: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """Replace long values in the outermost object with short placeholders, to make repeated edits fast.

    Return the new text, and a dictionary from each placeholder to the value that it replaces. The values of the keys in
    `keep` are not replaced.
    """
    root = _parse_root(text)
    # If only the values have line breaks, replacing them would change how new entries are laid out.
    if not root.entries or ("\n" in text and "\n" not in text[root.start : root.entries[0].begin]):
        return text, {}
    folded: dict[str, str] = {}
    for number, entry in reversed(list(enumerate(root.entries))):
        mark = f'"\\u0000limpet {number}"'
        if entry.end - entry.start > _LONG_VALUE and entry.key not in keep and mark not in text:
            folded[mark] = text[entry.start : entry.end]
            text = text[: entry.start] + mark + text[entry.end :]
    return text, folded


def unfold(text: str, folded: dict[str, str]) -> str:
    """Replace each placeholder of `fold_long_values` with its value."""
    for mark, value in folded.items():
        text = text.replace(mark, value)
    return text


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """Return the text with `value` at `path`. An existing value is replaced, and missing objects are created."""
    container = _parse_root(text)
    for depth, key in enumerate(path):
        entry = container.find(key)
        if entry is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _insert_entry(text, container, key, value)
        if depth == len(path) - 1:
            return text[: entry.start] + _format_value(text, value, _line_indent(text, entry.start)) + text[entry.end :]
        container = _parse_value_of(text, entry)
    return text


def append(text: str, path: tuple[str, ...], item: Any) -> str:
    """Return the text with `item` added at the end of the list at `path`; a missing list is created."""
    container = _parse_root(text)
    for key in path:
        entry = container.find(key)
        if entry is None:
            return put(text, path, [item])
        container = _parse_value_of(text, entry)
    return _insert_entry(text, container, None, item)


def drop(text: str, path: tuple[str | int, ...]) -> str:
    """Return the text without the entry at `path`, if there is one; all other entries and all comments stay."""
    container = _parse_root(text)
    for key in path[:-1]:
        entry = container.entries[key] if isinstance(key, int) else container.find(key)
        if entry is None:
            return text
        container = _parse_value_of(text, entry)
    for number in reversed([number for number, entry in enumerate(container.entries) if entry.key == path[-1]]):
        text = _remove_entry(text, container, number)
    return text


def _insert_entry(text: str, container: Container, key: str | None, value: Any) -> str:
    if container.start == container.end:
        return (
            text[: container.start]
            + _format_value(text, {key: value}, "")
            + (text[container.end :] or _find_newline(text))
        )
    close = container.end - 1
    last = container.entries[-1].end if container.entries else container.start + 1
    comma = _find_comma(text, last, close) if container.entries else None
    if not _is_multiline(text, container):
        entry = _format_entry(key, json.dumps(value, ensure_ascii=False))
        if comma is not None:
            return f"{text[: comma + 1]} {entry},{text[comma + 1 :]}"
        return f"{text[:last]}{', ' if container.entries else ''}{entry}{text[last:]}"
    outer = _line_indent(text, container.start)
    inner = outer + _find_indent(text)
    if container.entries and "\n" in text[container.start : container.entries[0].begin]:
        inner = _line_indent(text, container.entries[0].begin)
    entry = _find_newline(text) + inner + _format_entry(key, _format_value(text, value, inner))
    # The new entry is added after a comment that follows the last entry, and the comma before this comment.
    point = len(text[:close].rstrip(_SPACE))
    if not container.entries:
        return text[:point] + entry + _find_newline(text) + outer + text[close:]
    if comma is not None:
        return text[:point] + entry + "," + text[point:]
    return text[:last] + "," + text[last:point] + entry + text[point:]


def _remove_entry(text: str, container: Container, number: int) -> str:
    start, end = container.entries[number].begin, container.entries[number].end
    lead = len(text[:start].rstrip(_SPACE))
    comma = _find_comma(text, end, container.end - 1)
    tail = text[end:] if comma is None else text[end:comma] + text[comma + 1 :]
    space = tail[: len(tail) - len(tail.lstrip(_SPACE))]
    if "\n" in text[lead:start] and "\n" not in space:
        # The rest of the line must not be joined to the line before, which may end with a comment.
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
    found = _SPACE_OR_COMMENTS.match(text, start)
    at = found.end() if found else start
    return at if at < end and text[at] == "," else None


def _is_multiline(text: str, container: Container) -> bool:
    """Tell whether the entries of a container are, or should be if it is empty, on separate lines."""
    if container.entries:
        return "\n" in text[container.start : container.end]
    document = text.strip(_SPACE + BOM)
    return "\n" in document or container.end - container.start == len(document)


def _format_entry(key: str | None, rendered: str) -> str:
    return rendered if key is None else f"{json.dumps(key, ensure_ascii=False)}: {rendered}"


def _format_value(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_find_indent(text)).split("\n")
    return (_find_newline(text) + indent).join(lines)


def _find_newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _find_indent(text: str) -> str:
    """Return the indentation of the first indented line, which is one level; two spaces if there is none."""
    found = _INDENTED.search(text)
    return found.group(1) if found else "  "


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip(BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]
