"""Read the JSON of a request."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from limpet.errors import UsageError

_DEEPEST = 100


async def read_body(request: Request) -> Any:
    """Return the JSON of a request; raise UsageError if its body is not JSON."""
    return parse_body(await request.body())


def parse_body(body: bytes) -> Any:
    """Return the JSON of a body, or an empty object if the body is empty; raise UsageError if it is not JSON."""
    if not body.strip():
        return {}
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise UsageError("the body is not valid JSON; send one object in UTF-8, as `curl --json` does") from None
    if _depth_exceeds(found, _DEEPEST):
        raise UsageError(f"the JSON is nested deeper than {_DEEPEST} levels; send a flatter object")
    return found


def _depth_exceeds(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most):
        holders = [each for each in level if isinstance(each, dict | list)]
        if not holders:
            return False
        level = [each for holder in holders for each in (holder.values() if isinstance(holder, dict) else holder)]
    return True
