"""Refuse a request: the status, the sentence that says what to do, and the JSON in which both travel."""

from __future__ import annotations

import json
from collections.abc import Mapping

STORES_PATH = "/v1/"
"""Where the addresses of Anthropic's API begin; its clients expect errors in its form."""

_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    500: "api_error",
    503: "api_error",
    507: "api_error",
}


class Refusal(Exception):
    """A request that is refused before or by a route, with its status and a sentence that says what to do.

    `details` are fields of the error in the form of Anthropic's API.
    """

    def __init__(
        self,
        status: int,
        sentence: str,
        *,
        headers: Mapping[str, str] | None = None,
        details: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.details = details or {}
        self.headers = headers or {}

    def encode(self, path: str) -> bytes:
        """Return the body; it is empty for a hook, because what a hook receives may reach a model."""
        if path.startswith("/hook/"):
            return b""
        if not path.startswith(STORES_PATH):
            return json.dumps({"error": str(self)}).encode()
        kind = _KINDS.get(self.status, "invalid_request_error")
        return json.dumps({"type": "error", "error": {"type": kind, "message": str(self), **self.details}}).encode()
