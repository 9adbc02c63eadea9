"""Define a wire, the format of one vendor's HTTP API. Each vendor has a module beside this one.

A wire writes the body of a request and reads the answer. Its `rungs` are the forms of structured output that the API
supports, strictest first.
"""

from __future__ import annotations

from typing import Any

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import Protocol, record
from limpet.llm.protocol import Request


class Rung(StrEnum):
    """A way to make an endpoint answer with JSON: by a schema, by a mode for any JSON, or only by the prompt."""

    SCHEMA = "schema"
    JSON = "json"
    PROMPT = "prompt"


@record
class Answer:
    """The parsed answer of an endpoint: the text, the reported token counts, and whether the text was cut off."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    is_cut: bool = False


class Wire(Protocol):
    """The format of one vendor's HTTP API: its address, headers, requests and answers."""

    @property
    def default_url(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def rungs(self) -> tuple[Rung, ...]: ...
    @property
    def refusals(self) -> tuple[str, ...]:
        """Return words that appear in the vendor's error messages about an unsupported form of structured output."""

    def headers(self, key: str) -> dict[str, str]: ...
    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]: ...
    def read(self, answer: Any) -> Answer:
        """Return the text and the token counts of a decoded answer.

        Raise ModelFailed if the model refused, and KeyError, TypeError or a similar error if the answer has an unknown
        form.
        """


def two_messages(request: Request) -> list[dict[str, str]]:
    """Return a request as two chat messages: a system message with the instructions and a user message."""
    return [{"role": "system", "content": request.instructions}, {"role": "user", "content": request.text}]


def read_usage(answer: Any) -> dict[str, int | None]:
    """Return the token counts that an answer reports, by name."""
    given = answer.get("usage")
    return {name: read_number(value) for name, value in given.items()} if isinstance(given, dict) else {}


def sum_usage(answer: Any) -> int:
    """Return the total number of tokens that an answer reports for the request and the reply."""
    names = ("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens")
    return sum(read_usage(answer).get(name) or 0 for name in names)


def read_number(value: object) -> int | None:
    """Return the value if it is a non-negative integer of reasonable size, otherwise None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None
