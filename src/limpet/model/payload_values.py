"""Read values from the payload of a change. Another program may have written it, so any value may be malformed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from limpet.guard.signs import EDITION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def get_text(payload: Mapping[str, Any], name: str, otherwise: str | None) -> str | None:
    """Return a text field of a payload, or `otherwise` if the field is missing or not a string.

    The result is None if the field is null.
    """
    value = payload.get(name, otherwise)
    return value if value is None or isinstance(value, str) else otherwise


def get_share(payload: Mapping[str, Any], name: str, otherwise: float) -> float:
    """Return a number of the payload, limited to the range from 0 to 1, or `otherwise` if the payload has none."""
    return max(0.0, min(1.0, float(payload.get(name, otherwise))))


def get_texts(payload: Mapping[str, Any], name: str) -> list[str]:
    """Return the strings in a list field of a payload, or an empty list if the field is missing or not a list."""
    value = payload.get(name, ())
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []


def replace_texts(known: Mapping[str, str | None], payload: Mapping[str, Any]) -> dict[str, str | None]:
    """Return `known` with each text replaced by the text of the same name in the payload, if there is one."""
    return {name: get_text(payload, name, otherwise) for name, otherwise in known.items()}


def get_counts(payload: Mapping[str, Any], names: Iterable[str]) -> dict[str, int]:
    """Return the counts with these names from a payload. A count that is missing or invalid becomes 0."""
    found = {name: payload.get(name, 0) for name in names}
    return {name: value if isinstance(value, int) and 0 <= value < 1 << 53 else 0 for name, value in found.items()}


def decode_links(payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the links in a payload as pairs of a relation and a memory id. Malformed entries are skipped."""
    found = []
    given = payload.get("links", ())
    for link in given if isinstance(given, list | tuple) else ():
        pair = (link.get("relation"), link.get("to")) if isinstance(link, Mapping) else link
        if isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
            found.append((pair[0], pair[1]))
    return found


def decode_signs(payload: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the signs of instructions in a payload, or None if it has none or an older edition of rules found them."""
    given = payload.get("signs")
    if not isinstance(given, Mapping) or given.get("edition") != EDITION or "found" not in given:
        return None
    return tuple(get_texts(given, "found"))
