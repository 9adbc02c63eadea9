"""Changes single entries of a JSON text and leaves every other byte alone: comments, order, indentation, line endings.

Settings files belong to people. To load one and write it out again would lose their comments and their layout, so the
text is read only to find where its entries stand, and an entry is put in or taken out of the text itself. Comments and
commas after the last entry are understood, since people write them.
"""

from __future__ import annotations

import json
from json.decoder import JSONDecodeError, JSONDecoder

from limpet.lean.pattern import lazy
from limpet.lean.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BOM = "\ufeff"

_TRIVIA = lazy(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/)*+")
_NUMBER = lazy(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?")
_INDENTED = lazy(r"[\r\n]([ \t]+)[^ \t\r\n*/]")
_WORDS = {"true": True, "false": False, "null": None}
_SPACE = " \t\r\n"


class NotJson(ValueError):
    """The text is no JSON, even with comments allowed; says where it stops being so."""


@record
class Node:
    """A value and where it stands; `children` are its entries, each with its key (in a list: its number)."""

    start: int
    end: int
    value: Any
    children: tuple[tuple[Any, int, Node], ...] = ()
    """Key, where the entry begins (its key, in an object), and its value."""

    def child(self, key: str) -> Node | None:
        """The value of a key; of one given twice the last, as every reader does."""
        return next((node for name, _, node in reversed(self.children) if name == key), None)


def parse(text: str) -> Node:
    """The root of a document, which must be an object; an empty text is an empty one."""
    start = 1 if text.startswith(BOM) else 0
    if not text[start:].strip(_SPACE):
        return Node(start=start, end=start, value={})
    reader = _Reader(text)
    try:
        root = reader.value(reader.after(start))
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    if (rest := reader.after(root.end)) != len(text):
        raise reader.error("something follows the end", rest)
    if not isinstance(root.value, dict):
        raise NotJson("it holds no object")
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self._decoder = JSONDecoder()

    def error(self, what: str, at: int) -> NotJson:
        return NotJson(f"line {self.text.count(chr(10), 0, at) + 1}: {what}")

    def after(self, at: int) -> int:
        """Where the next thing begins that is no space and no comment."""
        found = _TRIVIA.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int) -> Node:
        sign = self.text[at : at + 1]
        if sign == "{":
            return self.container(at, "}")
        if sign == "[":
            return self.container(at, "]")
        if sign == '"':
            text, end = self.string(at)
            return Node(start=at, end=end, value=text)
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, at):
                return Node(start=at, end=at + len(word), value=meaning)
        if found := _NUMBER.match(self.text, at):
            return Node(start=at, end=found.end(), value=json.loads(found.group()))
        raise self.error("a value is missing" if sign else "the text ends too early", at)

    def string(self, at: int) -> tuple[str, int]:
        try:
            text, end = self._decoder.raw_decode(self.text, at)
            return text, end
        except JSONDecodeError as error:
            raise self.error("a text is not closed or not escaped", error.pos) from None

    def container(self, start: int, closing: str) -> Node:
        children: list[tuple[Any, int, Node]] = []
        at = self.after(start + 1)
        while self.text[at : at + 1] != closing:
            begins, key = at, len(children)
            if closing == "}":
                key, at = self.key(at)  # type: ignore[assignment]
            node = self.value(at)
            children.append((key, begins, node))
            at = self.after(node.end)
            if self.text[at : at + 1] == ",":
                at = self.after(at + 1)
            elif self.text[at : at + 1] != closing:
                raise self.error(f"a comma or {closing!r} is missing", at)
        whole: Any = [node.value for _, _, node in children]
        if closing == "}":
            whole = {key: node.value for key, _, node in children}
        return Node(start=start, end=at + 1, value=whole, children=tuple(children))

    def key(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] != '"':
            raise self.error("a key in quotation marks is missing", at)
        key, end = self.string(at)
        at = self.after(end)
        if self.text[at : at + 1] != ":":
            raise self.error("a colon is missing", at)
        return key, self.after(at + 1)


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with `value` at `path`; what stands there is replaced, and objects on the way are made."""
    node = parse(text)
    for depth, key in enumerate(path):
        found = node.child(key)
        if found is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _added(text, node, key, value)
        node = found
    return text[: node.start] + _rendered(text, value, _line_indent(text, node.start)) + text[node.end :]


def append(text: str, path: tuple[str, ...], item: Any) -> str:
    """The text with one more item at the end of the list at `path`."""
    node = parse(text)
    for key in path:
        found = node.child(key)
        if found is None:
            return put(text, path, [item])
        node = found
    return _added(text, node, None, item)


def drop(text: str, path: tuple[str | int, ...]) -> str:
    """The text without the entry at `path`; its neighbours and all comments stay."""
    node = parse(text)
    for key in path[:-1]:
        node = node.children[key][2] if isinstance(key, int) else node.child(key) or node
    numbers = [number for number, (name, _, _) in enumerate(node.children) if name == path[-1]]
    for number in reversed(numbers):
        text = _removed(text, node, number)
    return text


def _added(text: str, node: Node, key: str | None, value: Any) -> str:
    if node.start == node.end:
        return text[: node.start] + _rendered(text, {key: value}, "") + (text[node.end :] or _newline(text))
    close = node.end - 1
    last = node.children[-1][2].end if node.children else node.start + 1
    comma = _comma(text, last, close) if node.children else None
    if not _is_spread(text, node):
        entry = _entry(key, json.dumps(value, ensure_ascii=False))
        if comma is not None:
            return f"{text[: comma + 1]} {entry},{text[comma + 1 :]}"
        return f"{text[:last]}{', ' if node.children else ''}{entry}{text[last:]}"
    outer = _line_indent(text, node.start)
    inner = outer + _unit(text)
    if node.children and "\n" in text[node.start : node.children[0][1]]:
        inner = _line_indent(text, node.children[0][1])
    entry = _newline(text) + inner + _entry(key, _rendered(text, value, inner))
    # A comment behind the last entry stays behind it: the new one goes after the comment, its comma before.
    point = len(text[:close].rstrip(_SPACE))
    if not node.children:
        return text[:point] + entry + _newline(text) + outer + text[close:]
    if comma is not None:
        return text[:point] + entry + "," + text[point:]
    return text[:last] + "," + text[last:point] + entry + text[point:]


def _removed(text: str, node: Node, number: int) -> str:
    _, start, value = node.children[number]
    lead = len(text[:start].rstrip(_SPACE))
    comma = _comma(text, value.end, node.end - 1)
    tail = text[value.end :] if comma is None else text[value.end : comma] + text[comma + 1 :]
    space = tail[: len(tail) - len(tail.lstrip(_SPACE))]
    if "\n" in text[lead:start] and "\n" not in space:
        # What follows on the same line may not slip behind a comment on the line before.
        lead, tail = start, tail[len(space) :]
    text = text[:lead] + tail
    if comma is None and number:
        before = _comma(text, node.children[number - 1][2].end, lead)
        text = text if before is None else text[:before] + text[before + 1 :]
    inside = text[node.start + 1 :].lstrip(_SPACE)
    if len(node.children) == 1 and inside[:1] in ("}", "]"):
        text = text[: node.start + 1] + inside
    return text


def _comma(text: str, start: int, end: int) -> int | None:
    """Where the comma stands that follows an entry, if one does; a comment may stand between."""
    found = _TRIVIA.match(text, start)
    at = found.end() if found else start
    return at if at < end and text[at] == "," else None


def _is_spread(text: str, node: Node) -> bool:
    """Whether its entries stand on lines of their own; an empty one is filled as the rest of the document is."""
    if node.children:
        return "\n" in text[node.start : node.end]
    document = text.strip(_SPACE + BOM)
    return "\n" in document or node.end - node.start == len(document)


def _entry(key: str | None, rendered: str) -> str:
    return rendered if key is None else f"{json.dumps(key, ensure_ascii=False)}: {rendered}"


def _rendered(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_newline(text) + indent).join(lines)


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _unit(text: str) -> str:
    """By how much the document indents: the first indented line says it."""
    found = _INDENTED.search(text)
    return found.group(1) if found else "  "


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip(BOM)
    return line[: len(line) - len(line.lstrip(" \t"))]
