"""Remember which form of structured output, called a rung, each endpoint needs.

Only a rung below the first is remembered, and only for a day. After that, the first rung is tried again, because the
endpoint may have been updated, or may have ignored a schema only once.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

from limpet import clock, system
from limpet.llm.providers.wire import Rung

FILE = "llm-ladder.json"
"""The name of the file in Limpet's home. It is not in the folder `llm`, where command-line programs run."""


class Ladder:
    """The rung (form of structured output) that each endpoint needs.

    The rungs are stored in a file in Limpet's home, or in memory if `home` is None.
    """

    def __init__(self, home: str | None) -> None:
        self._path = os.path.join(home, FILE) if home else None
        self._found: dict[str, Any] = {}

    def find(self, endpoint: str, rungs: tuple[Rung, ...]) -> Rung:
        """Return the rung to use for an endpoint: the first, or a lower one that was recorded within the last day."""
        kept = self._load().get(endpoint)
        if isinstance(kept, dict) and _is_recent(kept.get("since")):
            return next((rung for rung in rungs if rung == kept.get("rung")), rungs[0])
        return rungs[0]

    def move(self, endpoint: str, rung: Rung) -> None:
        """Record that an endpoint needs this lower rung. The record is valid for a day."""
        self._found = {**self._load(), endpoint: {"rung": rung.value, "since": clock.now_ms()}}
        if self._path is not None:
            with suppress(OSError):
                system.private_directory(os.path.dirname(self._path))
                system.write_atomically(self._path, json.dumps(self._found).encode(), durable=False)

    def _load(self) -> dict[str, Any]:
        if self._path is None:
            return self._found
        with suppress(OSError, ValueError, RecursionError):
            with open(self._path, encoding="utf-8") as file:
                found = json.load(file)
            return found if isinstance(found, dict) else {}
        return {}


def _is_recent(since: object) -> bool:
    # A time in the future was recorded while the clock was wrong.
    return isinstance(since, int) and 0 <= clock.now_ms() - since < clock.DAY_MS
