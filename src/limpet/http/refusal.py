"""Define the error that refuses a request with an HTTP status and a message, and the JSON in which it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping

STORES_PATH = "/v1/"
"""The prefix of the paths in Anthropic's API, on which clients expect errors in the format of that API."""

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
    """An error that refuses a request, with an HTTP status and a message that says what to do.

    `details` are additional fields of the error on paths of Anthropic's API.
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
        """Return the body of the response to a request for `path`.

        The body is empty on the paths of hooks, because the host may pass it to a model.
        """
        if path.startswith("/hook/"):
            return b""
        if not path.startswith(STORES_PATH):
            return json.dumps({"error": str(self)}).encode()
        kind = _KINDS.get(self.status, "invalid_request_error")
        return json.dumps({"type": "error", "error": {"type": kind, "message": str(self), **self.details}}).encode()
