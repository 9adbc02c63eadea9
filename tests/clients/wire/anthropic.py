"""The Anthropic messages API as Claude Code speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tests.clients.wire.turn import Answer, Call, Turn, events

# How the client asks for the summary that replaces a talk which has grown too long.
SUMMARISE = "create a detailed summary of the conversation"


def turn(body: dict[str, Any]) -> Turn:
    prompt, answered, last = "", 0, ""
    for message in body.get("messages", ()):
        if message["role"] == "assistant":
            answered += 1
            last = ""
        elif message["role"] == "user":
            last = _text(message["content"])
            # What comes with a tool's result was said by the client, not by a person.
            if not _brings_result(message["content"]):
                prompt, answered = last, 0
    tools = [tool["name"] for tool in body.get("tools") or ()]
    return Turn(prompt, answered, tools, wants_summary=SUMMARISE in last)


def _text(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _brings_result(content: str | list[dict[str, Any]]) -> bool:
    return not isinstance(content, str) and any(block["type"] == "tool_result" for block in content)


def stream(answer: Answer, body: dict[str, Any]) -> Iterable[str]:
    return events(_events(answer, body))


def _events(answer: Answer, body: dict[str, Any]) -> Iterable[dict[str, Any]]:
    message = whole(answer, body)
    (block,) = message["content"]
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": message["usage"]}
    yield {"type": "message_stop"}


def whole(answer: Answer, body: dict[str, Any]) -> dict[str, Any]:
    step = answer.step
    if isinstance(step, Call):
        block = {"type": "tool_use", "id": f"toolu_{answer.number:024d}", "name": step.tool, "input": dict(step.input)}
    else:
        block = {"type": "text", "text": step.text}
    return {
        "id": f"msg_{answer.number:024d}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": [block],
        "stop_reason": "tool_use" if isinstance(step, Call) else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": answer.step.reads,
            "output_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }
