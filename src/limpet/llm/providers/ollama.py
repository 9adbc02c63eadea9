"""Use Ollama through its native chat API."""

from __future__ import annotations

from typing import Any

from limpet.llm.protocol import Request
from limpet.llm.providers.wire import Answer, Rung, read_number, two_messages


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
