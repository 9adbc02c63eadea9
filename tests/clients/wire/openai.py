"""The OpenAI responses API as Codex speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tests.clients.wire.turn import Answer, Call, Turn, events

ANSWERS = ("function_call", "custom_tool_call", "local_shell_call")


def turn(body: dict[str, Any]) -> Turn:
    prompt, answered = "", 0
    for item in body.get("input", ()):
        kind = item.get("type", "message")
        if kind in ANSWERS or (kind == "message" and item.get("role") == "assistant"):
            answered += 1
        elif kind == "message" and item.get("role") == "user":
            prompt, answered = _said(item["content"]), 0
    return Turn(prompt, answered, list(_tools(body)))


def _said(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _tools(body: dict[str, Any]) -> Iterable[str]:
    """Return the names of the tools; those of a server have a namespace, which a script writes as `namespace/name`."""
    for tool in body.get("tools") or ():
        if tool.get("type") == "namespace":
            yield from (f"{tool['name']}/{each['name']}" for each in tool["tools"])
        else:
            yield tool.get("name", tool.get("type", ""))


def stream(answer: Answer, body: dict[str, Any]) -> Iterable[str]:
    return events(_events(answer, body))


def _events(answer: Answer, body: dict[str, Any]) -> Iterable[dict[str, Any]]:
    response: dict[str, Any] = {
        "id": f"resp_{answer.number}",
        "object": "response",
        "model": body.get("model"),
        "output": [],
    }
    item = _item(answer)
    usage = {
        "input_tokens": answer.step.reads,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": answer.step.reads + 10,
    }
    yield {"type": "response.created", "response": {**response, "status": "in_progress"}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {
        "type": "response.completed",
        "response": {**response, "status": "completed", "output": [item], "usage": usage},
    }


def _item(answer: Answer) -> dict[str, Any]:
    step = answer.step
    if isinstance(step, Call):
        namespace, _, name = step.tool.rpartition("/")
        call = {
            "type": "function_call",
            "id": f"fc_{answer.number}",
            "call_id": f"call_{answer.number}",
            "name": name,
            "arguments": json.dumps(dict(step.input)),
            "status": "completed",
        }
        return {**call, "namespace": namespace} if namespace else call
    return {
        "type": "message",
        "id": f"msg_{answer.number}",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": step.text, "annotations": []}],
    }
