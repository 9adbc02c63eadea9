"""Remember on which rung of the ladder of structured output an endpoint has to be asked.

Only a rung below the first is remembered, and only for a day: an endpoint that was updated, or that ignored a schema
once, is then asked on the first rung again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from limpet import clock, system
from limpet.llm.providers.wire import Rung

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE = "llm-ladder.json"
"""The file in the home; it is not in the folder `llm`, in which the programs of hosts run."""


class Ladder:
    """The rung of each endpoint, in a file of the home; without a home, in this process only."""

    def __init__(self, home: str | None) -> None:
        self._path = os.path.join(home, FILE) if home else None
        self._found: dict[str, Any] = {}

    def find(self, endpoint: str, rungs: tuple[Rung, ...]) -> Rung:
        """Return the rung on which to ask an endpoint: the first, unless a lower one was needed less than a day ago."""
        kept = self._load().get(endpoint)
        if isinstance(kept, dict) and _is_recent(kept.get("since")):
            return next((rung for rung in rungs if rung == kept.get("rung")), rungs[0])
        return rungs[0]

    def move(self, endpoint: str, rung: Rung) -> None:
        """Remember that an endpoint needs a lower rung than the one on which it was asked."""
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
    # A time in the future comes from a clock that was wrong.
    return isinstance(since, int) and 0 <= clock.now_ms() - since < clock.DAY_MS
