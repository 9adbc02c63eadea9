"""Finds Limpet's blocks in what a model was given, and compares what it was given with what it was given before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.clients.model import Asked


def at_start(asked: Asked) -> str:
    """Return what stands between the marks of a session's start, or nothing."""
    return _between(asked.text, "[LTM:", "[/LTM]")


def at_prompt(asked: Asked) -> str:
    """Return what was added for one prompt, or nothing."""
    return _between(asked.text, "<memory-context", "</memory-context>")


def changed_blocks(asked: Sequence[Asked]) -> list[tuple[str, str]]:
    """Return the first block of each request that the next request changes, with what it is there.

    A provider caches tools, system prompt and messages in this order, and only as far as nothing has changed.
    """
    found = []
    for before, after in pairwise(map(_blocks, asked)):
        after = after + [""] * len(before)
        found += [(was, now) for was, now in zip(before, after, strict=False) if was != now][:1]
    return found


def _blocks(asked: Asked) -> list[str]:
    body = asked.body
    if "input" in body:
        parts = [*(body.get("tools") or ()), body.get("instructions"), *body["input"]]
    elif "contents" in body:
        said = [(content.get("role"), part) for content in body["contents"] for part in content["parts"]]
        parts = [*(body.get("tools") or ()), body.get("systemInstruction"), *said]
    else:
        said = [(message["role"], block) for message in body["messages"] for block in _listed(message["content"])]
        parts = [*(body.get("tools") or ()), *_listed(body.get("system")), *said]
    return [json.dumps(_without_marks(part), sort_keys=True) for part in parts]


def _listed(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _without_marks(part: Any) -> Any:
    """Return a block without the mark that says how far to cache, which moves on with every request."""
    if isinstance(part, tuple):
        return [part[0], _without_marks(part[1])]
    return {key: value for key, value in part.items() if key != "cache_control"} if isinstance(part, dict) else part


def _between(text: str, begin: str, end: str) -> str:
    _, mark, rest = text.partition(begin)
    inside, closed, _ = rest.partition(end)
    assert bool(mark) == bool(closed), f"a block that is not closed: {rest[:200]}"
    return inside
