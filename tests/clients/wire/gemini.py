"""The Gemini API as Gemini CLI speaks it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.clients.wire.turn import Answer, Call, Turn, events


def turn(body: dict[str, Any]) -> Turn:
    prompt, answered = "", 0
    for content in body.get("contents", ()):
        parts = content.get("parts", ())
        if content.get("role") == "model":
            answered += 1
        elif not any("functionResponse" in part for part in parts):
            prompt, answered = "\n".join(part.get("text", "") for part in parts), 0
    tools = [each["name"] for tool in body.get("tools") or () for each in tool.get("functionDeclarations", ())]
    return Turn(prompt, answered, tools)


def stream(answer: Answer) -> Iterable[str]:
    return events([whole(answer)], named=False)


def whole(answer: Answer) -> dict[str, Any]:
    step = answer.step
    if isinstance(step, Call):
        part: dict[str, Any] = {"functionCall": {"name": step.tool, "args": dict(step.input)}}
    else:
        part = {"text": step.text}
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": answer.step.reads,
            "candidatesTokenCount": 10,
            "totalTokenCount": answer.step.reads + 10,
        },
        "modelVersion": "scripted",
        "responseId": f"response-{answer.number}",
    }
