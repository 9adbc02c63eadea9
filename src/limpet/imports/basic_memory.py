"""Import basic-memory notes: markdown with observations (`- [kind] text #tag`) and relations (`- type [[Note]]`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from limpet.environment import environment
from limpet.errors import Unreadable
from limpet.imports.files import parse_foreign_time, read_each, read_json, read_text, walk_folder
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.imports.markdown import split_passages
from limpet.lean.pattern import lazy
from limpet.text.front_matter import count_lines_above, list_field, split_front_matter, text_field

_OBSERVATION = lazy(r"[ \t]*+[-*][ \t]++\[([^\]\[\n]{1,60})\][ \t]++(\S[^\n]*+)")
_RELATION = lazy(r"[ \t]*+[-*][ \t]++([^\[\]\n]{0,100}?)[ \t]*+\[\[([^\]\n]{1,300})\]\]")
_TASK_MARKS = (" ", "x", "X", "-")
_HASHTAG = lazy(r"(?<!\S)#([\w/-]{1,60})")


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the existing project folders of basic-memory: those in its settings, and its default folder."""
    try:
        settings = read_json(os.path.join(around.home, ".basic-memory", "config.json"))
    except Unreadable:
        settings = {}
    projects = settings.get("projects") if isinstance(settings, dict) else None
    named = [_find_path(each) for each in projects.values()] if isinstance(projects, dict) else []
    named += [environment().get("BASIC_MEMORY_HOME", ""), os.path.join(around.home, "basic-memory")]
    yield from (path for path in dict.fromkeys(named) if os.path.isabs(path) and os.path.isdir(path))


def _find_path(project: Any) -> str:
    path = project.get("path") if isinstance(project, dict) else project
    return path if isinstance(path, str) and "\0" not in path else ""


def recognise(path: str) -> bool:
    """Tell whether a folder contains basic-memory notes: its first readable note has a `permalink`."""
    for file, refused in walk_folder(path, ".md") if os.path.isdir(path) else ():
        if refused is None:
            try:
                return "permalink" in split_front_matter(read_text(file))[0]
            except Unreadable:
                continue
    return False


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each observation in a note, a fact for each relation, and a draft with the remaining text."""
    return read_each(path, _read_note, ".md")


def _read_note(path: str, name: str) -> Iterator[ForeignItem]:
    text = read_text(path)
    fields, body = split_front_matter(text)
    title = text_field(fields, "title") or os.path.splitext(os.path.basename(path))[0]
    tags = [tag.lstrip("#").lower() for tag in list_field(fields, "tags")]
    made = parse_foreign_time(text_field(fields, "created", "modified"))
    prose, count = [], 0
    for number, line in enumerate(body.split("\n"), 1 + count_lines_above(text, body)):
        relation, observation = _RELATION.match(line), _OBSERVATION.match(line)
        if relation is not None:
            count += 1
            yield ForeignItem(
                name=f"{name}:{number}", fact=(title, relation[1].strip() or "links to", relation[2].strip())
            )
        elif observation is not None and observation[1] not in _TASK_MARKS:
            count += 1
            words = _HASHTAG.findall(observation[2])
            draft = make_draft(
                observation[2].strip(),
                path=path,
                title=title,
                tags=[*tags, observation[1].strip().lower(), *(word.lower() for word in words)],
                line=number,
                created_at=made,
            )
            yield ForeignItem(name=f"{name}:{number}", draft=draft)
        else:
            prose.append(line)
    rest = "\n\n".join(each.text for each in split_passages("\n".join(prose)))
    if rest:
        yield ForeignItem(name=name, draft=make_draft(rest, path=path, title=title, tags=tags, created_at=made))
    elif not count:
        yield ForeignItem(name=name, left_out="it has no text")
