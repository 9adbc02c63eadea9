"""Read the reply of a model: JSON objects, one per line, in one array, or between fences and chatter.

Every role reads replies with this module and then checks each object itself. A reply never raises an error: whatever is
malformed is passed to `refuse` with a reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOT_JSON = "not JSON"
"""The reason for refusing a line that begins like an object and is not one, as in a reply that was cut."""
_LONGEST = 1_600_000
_LONGEST_LINE = 8_000
_FENCE = "```"


def read_objects(reply: str, refuse: Callable[[str], object], *, most: int = 200) -> list[dict[str, Any]]:
    """Return the JSON objects of a reply, at most `most`; what is malformed or too much is refused with the reason.

    A line that does not begin as an object is chatter and means nothing.
    """
    text = reply.strip()
    values = _read_whole(text)
    if values is None and _FENCE in text:
        values = _read_whole(text.split(_FENCE)[1].removeprefix("json").strip())
    if values is None:
        malformed: list[str] = []
        values = _read_lines(text, malformed.append, most)
        # One object on several lines, with chatter around it.
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
    """Return the items of a text that is one JSON array or object; None if it is neither."""
    if not text.startswith(("[", "{")) or len(text) > _LONGEST:
        return None
    value = _load(text)
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else None


def _read_lines(text: str, refuse: Callable[[str], object], most: int) -> list[Any]:
    found = []
    # One more than is used, so that the caller can say that there were too many.
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
