"""Read values of the payload of a change; another program may have written it, so each may be missing or malformed."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def get_text(payload: Mapping[str, Any], name: str, otherwise: str | None) -> str | None:
    """Return a text; `otherwise` if it is missing or something else."""
    value = payload.get(name, otherwise)
    return value if value is None or isinstance(value, str) else otherwise


def get_texts(payload: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts in a list; empty if it is missing or no list."""
    value = payload.get(name, ())
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []


def get_count(payload: Mapping[str, Any], name: str) -> int:
    """Return a number that counts something; 0 if it is missing, negative or too large."""
    value = payload.get(name, 0)
    return value if isinstance(value, int) and 0 <= value < 1 << 53 else 0


def decode_links(payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the links of a payload, written as pairs or as objects; entries of any other form are skipped."""
    found = []
    given = payload.get("links", ())
    for link in given if isinstance(given, list | tuple) else ():
        pair = (link.get("relation"), link.get("to")) if isinstance(link, Mapping) else link
        if isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
            found.append((pair[0], pair[1]))
    return found
