"""Read messages from standard input, and repair those that the MCP SDK cannot parse.

The SDK drops a line that it cannot parse, and the client then waits for an answer that never comes. Models do produce
such lines: with half of a surrogate pair, a list nested 300 levels deep, or a number with 5,000 digits. Each is valid
JSON, so it is rewritten in a form that the SDK accepts, and the tool returns a readable error.
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import anyio
from pydantic_core import from_json

from limpet.lean.pattern import lazy

_DEEPEST = 48
_LONGEST_NUMBER = 300
_STRINGS_AND_BRACKETS = lazy(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')


def open_standard_input() -> anyio.AsyncFile[str]:
    """Return standard input as an asynchronous text file whose lines are repaired with `repair_line`."""
    return anyio.wrap_file(_RepairedLines(sys.stdin.buffer, encoding="utf-8", errors="replace"))


class _RepairedLines(io.TextIOWrapper):
    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return repair_line(super().readline(size))

    def close(self) -> None:
        """Do nothing, so that standard input stays open."""


def repair_line(line: str) -> str:
    """Return a line of JSON in a form that the SDK can parse.

    A line that the SDK can already parse is not changed, nor is text that is not JSON.
    """
    try:
        message = from_json(line)
    except ValueError:
        try:
            parsed = json.loads(_limit_depth(line), parse_int=_parse_int, parse_float=_parse_float)
            message = _replace_surrogates(parsed)
        except (ValueError, RecursionError):
            # The line is not JSON, so there is no request to answer. `_limit_depth` does not shorten unclosed brackets,
            # so they can still be nested too deep for the parser.
            return line
        return json.dumps(_wrap_arguments(message)) + "\n"
    wrapped = _wrap_arguments(message)
    return line if wrapped is message else json.dumps(wrapped) + "\n"


def _wrap_arguments(message: Any) -> Any:
    """Replace tool arguments that are not an object with an object that contains them.

    The tool then returns a readable error. Otherwise the SDK would answer with a protocol error.
    """
    params = message.get("params") if isinstance(message, dict) else None
    given = params.get("arguments") if isinstance(params, dict) else None
    if params is None or given is None or isinstance(given, dict):
        return message
    return {**message, "params": {**params, "arguments": {"arguments": given}}}


def _parse_int(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_NUMBER else f"{text[:20]}…"


def _parse_float(text: str) -> float | str:
    return float(text) if len(text) <= _LONGEST_NUMBER else f"{text[:20]}…"


def _limit_depth(line: str) -> str:
    """Replace lists and objects that are nested more than 48 levels deep with the string "…"."""
    parts, depth, kept = [], 0, 0
    for found in _STRINGS_AND_BRACKETS.finditer(line):
        if found[0] in ("[", "{"):
            if depth == _DEEPEST:
                parts.append(line[kept : found.start()])
            depth += 1
        elif found[0] in ("]", "}"):
            depth -= 1
            if depth == _DEEPEST:
                parts.append('"…"')
                kept = found.end()
    return "".join((*parts, line[kept:]))


def _replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates in all strings of a JSON value with U+FFFD, because they cannot be encoded as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_surrogates(each) for each in value]
    return value
