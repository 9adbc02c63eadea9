"""Standard input, line by line, in a form the SDK can read.

What the SDK cannot parse it drops, and the caller waits for an answer that never comes. Models do send such lines:
half of an emoji, a list nested three hundred deep, a number of five thousand digits. Each is legal JSON, so it is
written again in a milder form, and the tool says in a sentence what is wrong with it.
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
_MARKS = lazy(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')


def standard_input() -> anyio.AsyncFile[str]:
    return anyio.wrap_file(_Lines(sys.stdin.buffer, encoding="utf-8", errors="replace"))


class _Lines(io.TextIOWrapper):
    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return readable(super().readline(size))

    def close(self) -> None:
        """Standard input is not ours to close."""


def readable(line: str) -> str:
    """The line itself, or one that says the same as far as the SDK understands it."""
    try:
        message = from_json(line)
    except ValueError:
        try:
            message = _mild(json.loads(_shallow(line), parse_int=_number, parse_float=_fraction))
        except ValueError:
            # No JSON at all: there is nobody to answer to.
            return line
        return json.dumps(_with_named_arguments(message)) + "\n"
    named = _with_named_arguments(message)
    return line if named is message else json.dumps(named) + "\n"


def _with_named_arguments(message: Any) -> Any:
    """Arguments that are a list or a text are refused by the tool, by name, and not by the protocol."""
    params = message.get("params") if isinstance(message, dict) else None
    given = params.get("arguments") if isinstance(params, dict) else None
    if params is None or given is None or isinstance(given, dict):
        return message
    return {**message, "params": {**params, "arguments": {"arguments": given}}}


def _number(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_NUMBER else f"{text[:20]}…"


def _fraction(text: str) -> float | str:
    return float(text) if len(text) <= _LONGEST_NUMBER else f"{text[:20]}…"


def _shallow(line: str) -> str:
    """The same JSON with what lies too deep left out."""
    parts, depth, kept = [], 0, 0
    for found in _MARKS.finditer(line):
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


def _mild(value: Any) -> Any:
    """Without halves of characters."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mild(key): _mild(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_mild(each) for each in value]
    return value
