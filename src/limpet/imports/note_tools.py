"""Import from tools that keep notes in folders: Serena, Claude Code, claude-ltm, basic-memory and the format OKF.

OKF is the Open Knowledge Format 0.2, a folder of markdown files, each a concept with a `type`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import islice

from limpet.environment import environment
from limpet.errors import Unreadable
from limpet.hosts.own_notes import INDEX, notes_folder
from limpet.imports.files import parse_foreign_time, read_json
from limpet.imports.item import ForeignItem, Surroundings, Tool, make_item
from limpet.imports.markdown import split_passages
from limpet.imports.note_files import Note, find_notes, read_note, read_notes
from limpet.lean.pattern import lazy
from limpet.model.ids import is_body
from limpet.text.front_matter import list_field, text_field

FACT_TYPE = "fact"
"""The type of an OKF concept that states a fact in the fields `subject`, `predicate` and `object`."""
_OKF_RESERVED = ("index.md", "log.md")
"""The names of files in an OKF bundle that are not concepts."""
_UNSURE = 0.6
"""The confidence in an OKF concept whose status is `draft`."""
_SERENA_OWN = "memory_maintenance.md"
"""A note that Serena writes itself, with instructions on how to maintain notes."""
_OBSERVATION = lazy(r"[ \t]*+[-*][ \t]++\[([^\]\[\n]{1,60})\][ \t]++(\S[^\n]*+)")
_RELATION = lazy(r"[ \t]*+[-*][ \t]++([^\[\]\n]{0,100}?)[ \t]*+\[\[([^\]\n]{1,300})\]\]")
_TASK_MARKS = (" ", "x", "X", "-")
_HASHTAG = lazy(r"(?<!\S)#([\w/-]{1,60})")


def _is_notes_folder(path: str) -> bool:
    """Tell whether a path is Serena's folder (by its name) or Claude Code's (by the file MEMORY.md in it)."""
    tail = os.path.normpath(path).split(os.sep)[-2:]
    return os.path.isdir(path) and (tail == [".serena", "memories"] or os.path.isfile(os.path.join(path, INDEX)))


def _read_plain(note: Note) -> Iterator[ForeignItem]:
    """Yield a draft for a note; for MEMORY.md, a draft for each bullet that is not only a link to a note."""
    base = os.path.basename(note.path)
    stem = base.removesuffix(".md").replace("_", " ").replace("-", " ")
    if not note.body.strip():
        yield ForeignItem(name=note.name, left_out="it has no text")
    elif note.name == _SERENA_OWN:
        yield ForeignItem(name=note.name, left_out="it only says how Serena keeps its notes")
    elif base == INDEX:
        for passage in split_passages(note.body):
            where = f"{note.name}:{note.above + passage.line}"
            if ".md)" in passage.text:
                yield ForeignItem(name=where, left_out="it only names another note")
            else:
                yield make_item(where, passage.text, note.path, title=passage.heading)
    else:
        title = text_field(note.fields, "description", "name") or stem
        yield make_item(note.name, note.body.strip(), note.path, title=title)


def _read_claude_ltm(path: str) -> Iterator[ForeignItem]:
    folder, archives = os.path.join(path, "memories"), os.path.join(path, "archives")
    return read_notes(folder if os.path.isdir(folder) else path, partial(_read_phase, archives=archives))


def _read_phase(note: Note, archives: str) -> Iterator[ForeignItem]:
    """Yield a draft for a memory of claude-ltm, with the full text of a shortened one if the archive contains it."""
    id = text_field(note.fields, "id")
    if is_body(id.removeprefix("mem_")):
        yield ForeignItem(name=note.name, left_out="Limpet wrote it")
        return
    is_short = text_field(note.fields, "phase") not in ("", "0")
    full = os.path.join(archives, os.path.basename(note.path))
    is_archived = is_short and os.path.isfile(full)
    yield make_item(
        note.name,
        (read_note(full).body if is_archived else note.body).strip(),
        note.path,
        note.fields,
        "title=topic,title tags difficulty created_at",
        identity=f"claude-ltm:{id}:{'short' if is_short else 'full'}" if id else "",
        changed=("only its shortened text is there",) if is_short and not is_archived else (),
    )


def _read_concept(note: Note) -> Iterator[ForeignItem]:
    """Yield a draft or a fact for a concept of OKF; deprecated concepts are left out."""
    name, fields = note.name, note.fields
    kind, status, description = (text_field(fields, each) for each in ("type", "status", "description"))
    subject, predicate, object = (text_field(fields, part) for part in ("subject", "predicate", "object"))
    text = note.body.strip() or description
    if not kind:
        yield ForeignItem(name=name, refused="its front matter has no type")
    elif status == "deprecated":
        yield ForeignItem(name=name, left_out="it is deprecated there")
    elif kind == FACT_TYPE and subject and predicate and object:
        yield ForeignItem(name=name, fact=(subject, predicate, object))
    elif not text:
        yield ForeignItem(name=name, left_out="it has no text")
    else:
        made, is_draft = fields.get("generated"), status == "draft"
        row = {**fields, "at": made.get("at") if isinstance(made, dict) else ""}
        columns = "title=title,description type created_at=at,timestamp expires_at=stale_after"
        changed = ("it is a draft there, so its confidence is lower",) if is_draft else ()
        confidence, tags = _UNSURE if is_draft else None, [*list_field(fields, "tags"), kind]
        yield make_item(name, text, note.path, row, columns, changed=changed, confidence=confidence, tags=tags)


def _find_basic_memory(around: Surroundings) -> Iterator[str]:
    """Yield the project folders of basic-memory: those in its settings, and its default folder."""
    try:
        settings = read_json(os.path.join(around.home, ".basic-memory", "config.json"))
    except Unreadable:
        settings = {}
    projects = settings.get("projects") if isinstance(settings, dict) else None
    found = list(projects.values()) if isinstance(projects, dict) else []
    named = [each.get("path") if isinstance(each, dict) else each for each in found]
    named += [environment().get("BASIC_MEMORY_HOME", ""), *around.in_home("basic-memory")]
    return (f"{path}/" for path in named if isinstance(path, str) and "\0" not in path and os.path.isabs(path))


def _read_basic_memory(note: Note) -> Iterator[ForeignItem]:
    """Yield a draft for each observation (`- [kind] text #tag`), a fact for each relation (`- type [[Note]]`).

    What remains of the text becomes one more draft.
    """
    title = text_field(note.fields, "title") or os.path.splitext(os.path.basename(note.path))[0]
    tags, made = list_field(note.fields, "tags"), parse_foreign_time(text_field(note.fields, "created", "modified"))
    make = partial(make_item, path=note.path, title=title, created_at=made)
    lines = note.body.split("\n")
    prose = list[str]()
    for number, line in enumerate(lines, 1 + note.above):
        where = f"{note.name}:{number}"
        relation, observation = _RELATION.match(line), _OBSERVATION.match(line)
        if relation is not None:
            yield ForeignItem(name=where, fact=(title, relation[1].strip() or "links to", relation[2].strip()))
        elif observation is not None and observation[1] not in _TASK_MARKS:
            words = _HASHTAG.findall(observation[2])
            yield make(where, observation[2].strip(), tags=[*tags, observation[1].strip(), *words], line=number)
        else:
            prose.append(line)
    rest = "\n\n".join(each.text for each in split_passages("\n".join(prose)))
    if rest:
        yield make(note.name, rest, tags=tags)
    elif len(prose) == len(lines):
        yield ForeignItem(name=note.name, left_out="it has no text")


TOOLS = {
    **{
        name: Tool(
            places=places,
            recognises=_is_notes_folder,
            read=partial(read_notes, read=_read_plain),
        )
        for name, places in (
            ("serena", lambda around: around.in_project(".serena/memories/")),
            ("claude-code", lambda around: [f"{notes_folder(around.root)}/"] if around.root else []),
        )
    },
    "claude-ltm": Tool(
        places=lambda around: around.in_project(".claude/ltm/"),
        recognises=lambda path: all(os.path.exists(os.path.join(path, name)) for name in ("memories/", "index.json")),
        read=_read_claude_ltm,
    ),
    "basic-memory": Tool(
        places=_find_basic_memory,
        # The first note that can be read tells.
        recognises=lambda path: any("permalink" in note.fields for note in islice(find_notes(path), 1)),
        read=partial(read_notes, read=_read_basic_memory),
    ),
    "okf": Tool(
        places=lambda around: around.in_project("okf/", ".okf/"),
        recognises=lambda path: any(
            text_field(note.fields, "type") for note in islice(find_notes(path, skip=_OKF_RESERVED), 1)
        ),
        read=partial(read_notes, read=_read_concept, skip=_OKF_RESERVED),
    ),
}
