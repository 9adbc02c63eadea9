"""Define the wires, the formats of the vendors' HTTP APIs.

A wire writes the body of a request and reads the answer. Its `rungs` are the forms of structured output that the API
supports, strictest first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from limpet.errors import ModelFailed
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


class Anthropic:
    """The format of requests to Anthropic's Messages API and of its answers."""

    default_url, path = "https://api.anthropic.com", "/v1/messages"
    rungs = (Rung.SCHEMA, Rung.PROMPT)
    refusals = ("tool", "schema")
    _TOOL = "reply"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.most_tokens,
            "system": request.instructions,
            "messages": [{"role": "user", "content": request.text}],
        }
        if request.schema is not None and rung is Rung.SCHEMA:
            tool = {"name": self._TOOL, "description": "Give the reply.", "input_schema": dict(request.schema)}
            body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": self._TOOL}}
        return body

    def read(self, answer: Any) -> Answer:
        if answer.get("stop_reason") == "refusal":
            raise ModelFailed("the model refused", tokens=sum_usage(answer))
        blocks = answer["content"]
        given = [block["input"] for block in blocks if block.get("type") == "tool_use" and "input" in block]
        texts = [block["text"] for block in blocks if block.get("type") == "text"]
        text = json.dumps(given[0], ensure_ascii=False) if given else "".join(texts)
        usage = read_usage(answer)
        is_cut = answer.get("stop_reason") == "max_tokens"
        return Answer(
            text=text, tokens_in=usage.get("input_tokens"), tokens_out=usage.get("output_tokens"), is_cut=is_cut
        )


class OpenAi:
    """The format of requests to OpenAI's chat completions API and of its answers."""

    default_url, path = "https://api.openai.com/v1", "/chat/completions"
    rungs = (Rung.SCHEMA, Rung.JSON, Rung.PROMPT)
    refusals = ("response_format", "json_object", "schema", "grammar", "structured output")

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.most_tokens,
            "messages": two_messages(request),
        }
        if request.schema is not None and rung is Rung.SCHEMA:
            schema = {"name": "reply", "schema": dict(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema is not None and rung is Rung.JSON:
            body["response_format"] = {"type": "json_object"}
        return body

    def read(self, answer: Any) -> Answer:
        choice = answer["choices"][0]
        if choice.get("finish_reason") == "content_filter" or choice["message"].get("refusal"):
            raise ModelFailed("the model refused", tokens=sum_usage(answer))
        usage = read_usage(answer)
        return Answer(
            text=choice["message"]["content"],
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            is_cut=choice.get("finish_reason") == "length",
        )


class Ollama:
    """The format of requests to Ollama's native chat API and of its answers."""

    default_url, path = "http://127.0.0.1:11434", "/api/chat"
    rungs = (Rung.SCHEMA, Rung.JSON, Rung.PROMPT)
    refusals = ("format", "schema", "grammar")

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "stream": False,
            "messages": two_messages(request),
            "options": {"num_predict": request.most_tokens},
        }
        if request.schema is not None and rung is not Rung.PROMPT:
            body["format"] = dict(request.schema) if rung is Rung.SCHEMA else "json"
        return body

    def read(self, answer: Any) -> Answer:
        return Answer(
            text=answer["message"]["content"],
            tokens_in=read_number(answer.get("prompt_eval_count")),
            tokens_out=read_number(answer.get("eval_count")),
            is_cut=answer.get("done_reason") == "length",
        )


WIRES: Mapping[str, Wire] = {"anthropic": Anthropic(), "openai": OpenAi(), "ollama": Ollama()}
"""The API format of each provider, by the provider's name in the settings."""
