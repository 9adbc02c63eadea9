"""Use Anthropic's Messages API. A schema is sent as a tool that the model has to call."""

from __future__ import annotations

import json
from typing import Any

from limpet.errors import ModelFailed
from limpet.llm.protocol import Request
from limpet.llm.providers.wire import Answer, Rung, read_usage, sum_usage


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
