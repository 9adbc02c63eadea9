"""Import the file of the MCP server server-memory: each line is an entity with observations, or a relation, as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from limpet.environment import environment
from limpet.errors import Unreadable
from limpet.imports.files import MAX_DATA, as_text, parse_json, read_text
from limpet.imports.item import ForeignItem, Surroundings, Tool, make_item


def _find(around: Surroundings) -> list[str]:
    """Return the file that MEMORY_FILE_PATH names, and those at the usual places in a project."""
    named = environment().get("MEMORY_FILE_PATH", "")
    paths = around.in_project("memory.jsonl", ".claude/memory.jsonl", ".mcp/memory.jsonl")
    return [named, *paths] if os.path.isabs(named) else paths


def _recognises(path: str) -> bool:
    found = parse_json(next((line for line in read_text(path, limit=MAX_DATA).split("\n") if line.strip()), ""))
    return isinstance(found, dict) and found.get("type") in ("entity", "relation")


def _read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each observation, and a fact for each relation."""
    for number, line in enumerate(read_text(path, limit=MAX_DATA).split("\n"), 1):
        if line.strip():
            try:
                yield from _read_object(parse_json(line), path, number)
            except Unreadable as error:
                yield ForeignItem(name=f"line {number}", refused=str(error))


def _read_object(found: Any, path: str, number: int) -> Iterator[ForeignItem]:
    if not isinstance(found, dict):
        raise Unreadable("it is not an object")
    if found.get("type") == "relation":
        parts = as_text(found.get("from")), as_text(found.get("relationType")), as_text(found.get("to"))
        refused = "" if all(parts) else "it lacks `from`, `relationType` or `to`"
        yield ForeignItem(name=f"relation {number}", fact=parts, refused=refused)
        return
    entity, observations = as_text(found.get("name")), found.get("observations")
    if found.get("type") != "entity" or not entity:
        raise Unreadable("it is neither an entity with a name nor a relation")
    if not isinstance(observations, list) or not observations:
        yield ForeignItem(name=f"entity {entity[:60]}", left_out="it has no observation")
        return
    for position, each in enumerate(observations, 1):
        name = f"entity {entity[:60]}, observation {position}"
        # Newer versions of the server write an object with the text and its time.
        text = as_text(each.get("content") if isinstance(each, dict) else each)
        if not text:
            yield ForeignItem(name=name, refused="it is not a text")
            continue
        # An observation is about its entity, but often does not name it.
        told = text if entity.casefold() in text.casefold() else f"{entity}: {text}"
        yield make_item(name, told, path, title=entity, tags=[as_text(found.get("entityType"))], line=number)


TOOLS = {"server-memory": Tool(places=_find, recognises=_recognises, read=_read)}
