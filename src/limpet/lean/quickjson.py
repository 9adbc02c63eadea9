"""Read and write JSON with the interpreter's C scanner, without the regular expressions that the `json` module loads.

Loading the `json` module takes a hook as long as starting the interpreter. Where the scanner is missing, `json` is
used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # The declared type of the scanner does not fit what it accepts.
    encode_basestring_ascii: Any
    make_scanner: Any
else:
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:
        encode_basestring_ascii = make_scanner = None


class _ScannerOptions:
    """The options that the scanner reads from its context."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def loads(text: str) -> Any:
    """Return the value of a JSON text; raise ValueError if the text is not JSON."""
    if make_scanner is None:
        import json

        return json.loads(text, strict=False)
    text = text.strip(" \t\r\n")
    try:
        value, end = make_scanner(_ScannerOptions)(text, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("not JSON")
    return value


def load_first(text: str) -> Any:
    """Return the JSON value at the beginning of a text and ignore what follows."""
    if make_scanner is None:
        import json

        return json.JSONDecoder(strict=False).raw_decode(text)[0]
    try:
        return make_scanner(_ScannerOptions)(text, 0)[0]
    except StopIteration:
        raise ValueError("not JSON") from None


def dumps(value: Any) -> str:
    """Return a value as JSON text in ASCII without spaces; raise TypeError for a type that JSON does not have."""
    if encode_basestring_ascii is None:
        import json

        return json.dumps(value, separators=(",", ":"))
    return _encode(value)


def _encode(value: Any) -> str:
    if isinstance(value, str):
        return str(encode_basestring_ascii(value))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ",".join(f"{_encode(str(key))}:{_encode(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_encode, value)) + "]"
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
