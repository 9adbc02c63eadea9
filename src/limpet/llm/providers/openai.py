"""Use OpenAI's chat completions API, which vLLM, LM Studio and llama.cpp provide too."""

from __future__ import annotations

from typing import Any

from limpet.errors import ModelFailed
from limpet.llm.protocol import Request
from limpet.llm.providers.wire import Answer, Rung, read_usage, sum_usage, two_messages


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
