"""Import the file of the MCP server server-memory: each line is an entity with observations, or a relation, as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from limpet.environment import environment
from limpet.errors import Unreadable
from limpet.imports.files import MAX_DATA, as_text, parse_json, read_text
from limpet.imports.item import ForeignItem, Surroundings, make_draft

_PLACES = ("memory.jsonl", os.path.join(".claude", "memory.jsonl"), os.path.join(".mcp", "memory.jsonl"))


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the existing files: the one that MEMORY_FILE_PATH names, and those at the usual places in a project."""
    named = environment().get("MEMORY_FILE_PATH", "")
    paths = [named] if os.path.isabs(named) else []
    paths += [os.path.join(around.root, place) for place in _PLACES] if around.root else []
    yield from (path for path in dict.fromkeys(paths) if os.path.isfile(path))


def recognise(path: str) -> bool:
    """Tell whether the first line of a file is an entity or a relation."""
    first = next((line for line in read_text(path, limit=MAX_DATA).split("\n") if line.strip()), "")
    found = parse_json(first)
    return isinstance(found, dict) and found.get("type") in ("entity", "relation")


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each observation, and a fact for each relation."""
    for number, line in enumerate(read_text(path, limit=MAX_DATA).split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = parse_json(line)
        except Unreadable as error:
            yield ForeignItem(name=f"line {number}", refused=str(error))
            continue
        yield from _read_object(found, path, number)


def _read_object(found: Any, path: str, number: int) -> Iterator[ForeignItem]:
    if not isinstance(found, dict):
        yield ForeignItem(name=f"line {number}", refused="it is not an object")
    elif found.get("type") == "entity" and as_text(found.get("name")):
        yield from _read_entity(found, path, number)
    elif found.get("type") == "relation":
        parts = tuple(as_text(found.get(name)) for name in ("from", "relationType", "to"))
        name = f"relation {number}"
        if all(parts):
            yield ForeignItem(name=name, fact=(parts[0], parts[1], parts[2]))
        else:
            yield ForeignItem(name=name, refused="it lacks `from`, `relationType` or `to`")
    else:
        yield ForeignItem(name=f"line {number}", refused="it is neither an entity with a name nor a relation")


def _read_entity(found: dict[str, Any], path: str, number: int) -> Iterator[ForeignItem]:
    entity, kind = as_text(found["name"]), as_text(found.get("entityType"))
    observations = found.get("observations")
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
        yield ForeignItem(name=name, draft=make_draft(told, path=path, title=entity, tags=[kind.lower()], line=number))
