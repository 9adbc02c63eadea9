"""Read and write JSON with the interpreter's C scanner and encoder, without the regular expressions that `json` loads.

Loading the `json` module takes a hook as long as starting the interpreter. If the interpreter lacks these C functions,
`json` is used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # The declared types do not fit what the interpreter accepts.
    encode_basestring: Any
    encode_basestring_ascii: Any
    make_encoder: Any
    make_scanner: Any
else:
    try:
        from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner
    except ImportError:
        encode_basestring = encode_basestring_ascii = make_encoder = make_scanner = None


class _ScannerOptions:
    """The options of the C scanner, which reads them as attributes of this class."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


class _StrictOptions(_ScannerOptions):
    strict = True


_SCAN: Any = make_scanner and make_scanner(_ScannerOptions)
_SCAN_STRICTLY: Any = make_scanner and make_scanner(_StrictOptions)

_NOT_JSON = (StopIteration, SystemError, RecursionError)
"""The exceptions, besides ValueError, that the scanner raises for text that is not JSON or is nested too deeply.

Before Python 3.13, it raises SystemError for incomplete text unless `json` was loaded.
"""


def loads(text: str | bytes, *, strict: bool = False) -> Any:
    """Parse JSON text and return its value. Raise ValueError if the text is not JSON.

    If `strict` is true, a control character inside a string is an error, as in the JSON standard.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogatepass")
    if make_scanner is None:
        import json

        try:
            return json.loads(text, strict=strict)
        except RecursionError:
            raise ValueError("not JSON") from None
    text = text.strip(" \t\r\n")
    try:
        value, end = (_SCAN_STRICTLY if strict else _SCAN)(text, 0)
    except _NOT_JSON:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("not JSON")
    return value


def load_first(text: str, start: int = 0) -> Any:
    """Return the JSON value that begins at `start` and ignore what follows it. Raise ValueError if there is none."""
    if make_scanner is None:
        import json

        try:
            return json.JSONDecoder(strict=False).raw_decode(text, start)[0]
        except RecursionError:
            raise ValueError("not JSON") from None
    try:
        return _SCAN(text, start)[0]
    except _NOT_JSON:
        raise ValueError("not JSON") from None


def dumps(value: Any, *, is_ascii: bool = True, is_sorted: bool = False, spaced: bool = False) -> str:
    """Return a value as JSON text. Raise TypeError for a type that JSON does not have.

    NaN and infinite numbers, which JSON cannot express, are written as null. If `spaced` is true, a space follows each
    comma and colon, as in the output of the `json` module.
    """
    if make_encoder is None:
        import json

        separators = (", ", ": ") if spaced else (",", ":")
        return json.dumps(_replace_infinite(value), ensure_ascii=is_ascii, sort_keys=is_sorted, separators=separators)
    encoder = _ENCODERS.get((is_ascii, is_sorted, spaced))
    if encoder is None:
        text = encode_basestring_ascii if is_ascii else encode_basestring
        between = (": ", ", ") if spaced else (":", ",")
        encoder = make_encoder(None, _refuse, text, None, *between, is_sorted, False, False)
        _ENCODERS[is_ascii, is_sorted, spaced] = encoder
    try:
        return "".join(encoder(value, 0))
    except ValueError:
        return "".join(encoder(_replace_infinite(value), 0))


_ENCODERS: dict[tuple[bool, bool, bool], Any] = {}


def _refuse(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _replace_infinite(value: Any) -> Any:
    """Return a copy of a value in which NaN and infinite numbers, which JSON cannot express, are replaced by None."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: _replace_infinite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_infinite(each) for each in value]
    return value
