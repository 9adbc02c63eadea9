"""Define the error that refuses a request with an HTTP status and a message, and the JSON in which it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping


class Refusal(Exception):
    """An error that refuses a request, with an HTTP status and a message that says what to do."""

    def __init__(self, status: int, sentence: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = headers or {}

    def encode(self, path: str) -> bytes:
        """Return the body of the response to a request for `path`.

        The body is empty on the paths of hooks, because the host may pass it to a model.
        """
        return b"" if path.startswith("/hook/") else json.dumps({"error": str(self)}).encode()
