"""Parse a model's reply: JSON objects, one per line or in an array, possibly within code fences and other text.

A malformed reply raises no error: each malformed part is reported to a callback with a reason. The caller checks the
content of each object.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

NOT_JSON = "not JSON"
"""The reason given for a line that starts like a JSON object but is not valid JSON, such as the end of a cut reply."""
_LONGEST = 1_600_000
_LONGEST_LINE = 8_000
_FENCE = "```"


def read_objects(reply: str, refuse: Callable[[str], object], *, most: int = 200) -> list[dict[str, Any]]:
    """Return up to `most` JSON objects from a model's reply.

    `refuse` is called with a reason for each part that is malformed or not an object, and for each object beyond the
    first `most`. Lines that do not start like an object are ignored.
    """
    text = reply.strip()
    values = _read_whole(text)
    if values is None and _FENCE in text:
        values = _read_whole(text.split(_FENCE)[1].removeprefix("json").strip())
    if values is None:
        malformed: list[str] = []
        values = _read_lines(text, malformed.append, most)
        # The reply may be one object that spans several lines, with other text around it.
        spread = None if values else _read_whole(text[text.find("{") : text.rfind("}") + 1])
        if spread is None:
            for reason in malformed:
                refuse(reason)
        values = spread or values
    objects = [each for each in values if isinstance(each, dict)]
    for _ in range(len(values) - len(objects)):
        refuse("not an object")
    for _ in objects[most:]:
        refuse(f"more than {most}")
    return objects[:most]


def _read_whole(text: str) -> list[Any] | None:
    """Return the items of a text that is a single JSON array or object as a list, or None for any other text."""
    if not text.startswith(("[", "{")) or len(text) > _LONGEST:
        return None
    value = _load(text)
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else None


def _read_lines(text: str, refuse: Callable[[str], object], most: int) -> list[Any]:
    found = []
    # More lines are read than objects are wanted, so that the caller can report surplus objects.
    for line in text.splitlines()[: 2 * most + 1]:
        bare = line.strip().removesuffix(",")
        if bare.startswith("{"):
            value = _load(bare) if len(bare) <= _LONGEST_LINE else None
            if value is None:
                refuse(NOT_JSON)
            else:
                found.append(value)
    return found


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
