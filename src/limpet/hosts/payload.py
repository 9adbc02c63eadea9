"""Read fields of the JSON that a host sends, without trusting it: each function takes any value and never raises."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

OUTPUT_CHARACTERS = 16_000
LINE_CHARACTERS = 2_000
DEEPEST = 12


def text_of(value: object) -> str:
    """Return the value if it is a string, else an empty string.

    Lone surrogates are replaced, because they cannot be encoded as UTF-8.
    """
    if not isinstance(value, str):
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode(errors="replace").decode()
    return value


def first_text(values: Mapping[str, Any], *names: str) -> str:
    """Return the first of the named values that is a non-empty string; an empty string if there is none."""
    for name in names:
        found = text_of(values.get(name))
        if found:
            return found
    return ""


def mapping_of(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def integer_of(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def clean_value(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with all lone surrogates replaced; parts nested deeper than DEEPEST are left out."""
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        return {text_of(key): clean_value(each, depth + 1) for key, each in value.items()} if depth < DEEPEST else {}
    if isinstance(value, list):
        return [clean_value(each, depth + 1) for each in value] if depth < DEEPEST else []
    return value


def message_text(value: object, depth: int = 0) -> str:
    """Return the text of a message or tool result, which may be a string, an object with text, or a list of these."""
    if isinstance(value, str):
        return text_of(value)
    if depth >= DEEPEST:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (message_text(each, depth + 1) for each in value)))
    if isinstance(value, dict):
        for name in ("text", "content", "parts", "resource", "functionResponse", "response", "output", "error"):
            found = message_text(value.get(name), depth + 1)
            if found:
                return found
    return ""


def to_one_line(text: str) -> str:
    return " ".join(text[: LINE_CHARACTERS * 2].split())[:LINE_CHARACTERS]


def cut_middle(text: str, limit: int = OUTPUT_CHARACTERS) -> str:
    """Return an output with its middle left out if it has more than `limit` characters."""
    if len(text) <= limit:
        return text
    # The beginning shows what was run, and the end shows the result.
    left_out = len(text) - limit
    return f"{text[: limit // 3]}\n[{left_out} characters left out]\n{text[-(limit - limit // 3) :]}"
