"""The forms in which endpoints are asked: Anthropic's Messages, OpenAI's chat completions, and Ollama's chat.

Each form writes the body of a request at a rung of the ladder of structured output, and reads the answer. A form that
lacks a rung leaves it out of `rungs`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum

from limpet.errors import ModelFailed
from limpet.lean.record import Protocol, record
from limpet.llm.protocol import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Rung(StrEnum):
    """How an endpoint is made to answer with JSON: by a schema, by a mode for any JSON, or by words alone."""

    SCHEMA = "schema"
    JSON = "json"
    PROMPT = "prompt"


@record
class Answer:
    """What an endpoint answered: the text, the tokens that it reports, and whether the text was cut."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    is_cut: bool = False


class Form(Protocol):
    """The form of an endpoint."""

    @property
    def name(self) -> str: ...
    @property
    def default_url(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def rungs(self) -> tuple[Rung, ...]: ...

    def headers(self, key: str) -> dict[str, str]: ...
    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]: ...
    def read(self, answer: Any) -> Answer:
        """Return the answer; raise ModelFailed if it is a refusal, or KeyError and the like if it has another form."""


class Anthropic:
    """Anthropic's Messages: a schema is a tool that the model must call."""

    name, default_url, path = "anthropic", "https://api.anthropic.com", "/v1/messages"
    rungs = (Rung.SCHEMA, Rung.PROMPT)
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
            raise ModelFailed("the model refused", tokens=_sum_usage(answer))
        blocks = answer["content"]
        given = [block["input"] for block in blocks if block.get("type") == "tool_use" and "input" in block]
        texts = [block["text"] for block in blocks if block.get("type") == "text"]
        text = json.dumps(given[0], ensure_ascii=False) if given else "".join(texts)
        usage = _usage(answer)
        is_cut = answer.get("stop_reason") == "max_tokens"
        return Answer(
            text=text, tokens_in=usage.get("input_tokens"), tokens_out=usage.get("output_tokens"), is_cut=is_cut
        )


class OpenAi:
    """OpenAI's chat completions, which vLLM, LM Studio and llama.cpp speak too."""

    name, default_url, path = "openai", "https://api.openai.com/v1", "/chat/completions"
    rungs = (Rung.SCHEMA, Rung.JSON, Rung.PROMPT)

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.most_tokens,
            "messages": _two_messages(request),
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
            raise ModelFailed("the model refused", tokens=_sum_usage(answer))
        usage = _usage(answer)
        return Answer(
            text=choice["message"]["content"],
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            is_cut=choice.get("finish_reason") == "length",
        )


class Ollama:
    """Ollama's own chat."""

    name, default_url, path = "ollama", "http://127.0.0.1:11434", "/api/chat"
    rungs = (Rung.SCHEMA, Rung.JSON, Rung.PROMPT)

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def write(self, model: str, request: Request, rung: Rung) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": model,
            "stream": False,
            "messages": _two_messages(request),
            "options": {"num_predict": request.most_tokens},
        }
        if request.schema is not None and rung is not Rung.PROMPT:
            body["format"] = dict(request.schema) if rung is Rung.SCHEMA else "json"
        return body

    def read(self, answer: Any) -> Answer:
        return Answer(
            text=answer["message"]["content"],
            tokens_in=_number(answer.get("prompt_eval_count")),
            tokens_out=_number(answer.get("eval_count")),
            is_cut=answer.get("done_reason") == "length",
        )


FORMS: Mapping[str, Form] = {form.name: form for form in (Anthropic(), OpenAi(), Ollama())}


def _two_messages(request: Request) -> list[dict[str, str]]:
    return [{"role": "system", "content": request.instructions}, {"role": "user", "content": request.text}]


def _usage(answer: Any) -> dict[str, int | None]:
    given = answer.get("usage")
    return {name: _number(value) for name, value in given.items()} if isinstance(given, dict) else {}


def _sum_usage(answer: Any) -> int:
    names = ("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens")
    return sum(_usage(answer).get(name) or 0 for name in names)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None
