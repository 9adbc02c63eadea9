"""Read messages from standard input, and repair those that the SDK could not parse.

The SDK drops a line that it cannot parse, and the caller then waits for an answer that never comes. Models do send such
lines: half of an emoji, a list nested three hundred deep, a number of five thousand digits. Each is legal JSON, so it
is rewritten in a form that the SDK accepts, and the tool reports the error in a sentence.
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
    return anyio.wrap_file(_RepairedLines(sys.stdin.buffer, encoding="utf-8", errors="replace"))


class _RepairedLines(io.TextIOWrapper):
    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return repair_line(super().readline(size))

    def close(self) -> None:
        """Leave standard input open, because it belongs to the process."""


def repair_line(line: str) -> str:
    """Return the line unchanged if the SDK can parse it, otherwise the closest line that it can parse."""
    try:
        message = from_json(line)
    except ValueError:
        try:
            parsed = json.loads(_limit_depth(line), parse_int=_parse_int, parse_float=_parse_float)
            message = _replace_surrogates(parsed)
        except (ValueError, RecursionError):
            # Not JSON: there is no request to answer. Brackets that are never closed are not cut, and can be too deep.
            return line
        return json.dumps(_wrap_arguments(message)) + "\n"
    named = _wrap_arguments(message)
    return line if named is message else json.dumps(named) + "\n"


def _wrap_arguments(message: Any) -> Any:
    """Wrap arguments that are not an object; the tool then refuses them with a sentence, not a protocol error."""
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
    """Return the JSON with everything nested too deep replaced by an ellipsis."""
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
    """Replace lone surrogates, which are halves of characters."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_surrogates(each) for each in value]
    return value
