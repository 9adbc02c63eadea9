"""Read and parse the JSON body of a request."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from limpet.errors import UsageError

_DEEPEST = 100


async def read_body(request: Request) -> Any:
    """Read the body of a request and return the parsed JSON; raise UsageError if it is not valid JSON."""
    return parse_body(await request.body())


def parse_body(body: bytes) -> Any:
    """Return the parsed JSON of a body, or {} for an empty body.

    Raise UsageError if the body is not valid JSON or is nested too deeply.
    """
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
