"""A wire is the form in which an endpoint is asked; each vendor's form has a module beside this one.

A wire writes the body of a request at a rung of the ladder of structured output, and reads the answer. A wire that
lacks a rung leaves it out of `rungs`.
"""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import Protocol, record
from limpet.llm.protocol import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Rung(StrEnum):
    """A way to make an endpoint answer with JSON: by a schema, by a mode for any JSON, or by words alone."""

    SCHEMA = "schema"
    JSON = "json"
    PROMPT = "prompt"


@record
class Answer:
    """The answer of an endpoint: the text, the tokens that it reports, and whether the text was cut."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    is_cut: bool = False


class Wire(Protocol):
    """The form in which one vendor's endpoints are asked."""

    @property
    def default_url(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def rungs(self) -> tuple[Rung, ...]: ...
    @property
    def refusals(self) -> tuple[str, ...]:
        """Words, one of which occurs in an error about the requested form of structured output."""

    def headers(self, key: str) -> dict[str, str]: ...
    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]: ...
    def read(self, answer: Any) -> Answer:
        """Return the answer; raise ModelFailed if it is a refusal, or KeyError and the like if it has another form."""


def two_messages(request: Request) -> list[dict[str, str]]:
    """Return a request as the message of the system and the message of the user."""
    return [{"role": "system", "content": request.instructions}, {"role": "user", "content": request.text}]


def read_usage(answer: Any) -> dict[str, int | None]:
    """Return the counts of tokens that an answer reports."""
    given = answer.get("usage")
    return {name: read_number(value) for name, value in given.items()} if isinstance(given, dict) else {}


def sum_usage(answer: Any) -> int:
    """Return all tokens that an answer reports."""
    names = ("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens")
    return sum(read_usage(answer).get(name) or 0 for name in names)


def read_number(value: object) -> int | None:
    """Return a count; None if the value is not one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None
