"""JSON by the interpreter's own scanner, without the regular expressions that the `json` module loads.

Loading those costs a hook as much as the interpreter itself. Where there is no such scanner, `json` does the work.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # What the scanner is to a type checker does not fit what it takes.
    encode_basestring_ascii: Any
    make_scanner: Any
else:
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:
        encode_basestring_ascii = make_scanner = None


class _Strictness:
    """What the scanner asks about how to read."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def loads(text: str) -> Any:
    """The value that the text is; ValueError for anything else."""
    if make_scanner is None:
        import json

        return json.loads(text, strict=False)
    text = text.strip(" \t\r\n")
    try:
        value, end = make_scanner(_Strictness)(text, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("not JSON")
    return value


def beginning(text: str) -> Any:
    """The value that the text begins with, whatever follows it."""
    if make_scanner is None:
        import json

        return json.JSONDecoder(strict=False).raw_decode(text)[0]
    try:
        return make_scanner(_Strictness)(text, 0)[0]
    except StopIteration:
        raise ValueError("not JSON") from None


def dumps(value: Any) -> str:
    """In ASCII, without spaces; only what JSON itself knows can be written."""
    if encode_basestring_ascii is None:
        import json

        return json.dumps(value, separators=(",", ":"))
    return _written(value)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return str(encode_basestring_ascii(value))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ",".join(f"{_written(str(key))}:{_written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
