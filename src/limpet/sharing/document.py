"""Encode a memory as a markdown file, and decode such a file.

A file has YAML front matter and the sections `## Summary` and `## Content`. It has no counts, version number or
modification time, because these would conflict in a merge. Its keys are sorted, so that two edits of different fields
change different lines. Obsidian shows the tags and the links; `type`, `title`, `description`, `tags`, `generated` and
`sources` are keys of the Open Knowledge Format.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.errors import Unreadable
from limpet.lean.record import record, replace
from limpet.model.codec import format_time
from limpet.model.memory import Concept, Draft, Impact, Kind, Memory, Origin, Phase, Source, Type
from limpet.sharing.shared_folder import MAX_FILE
from limpet.text.excerpt import clip, trim_text
from limpet.text.front_matter import list_field, split_front_matter, text_field
from limpet.text.gist import split_summary
from limpet.text.inference import infer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from limpet.lean.enumeration import StrEnum

    _E = TypeVar("_E", bound=StrEnum)

_SUMMARY, _CONTENT = "## Summary", "## Content"
_UP = "../../../"
"""The relative path from the folder of the files to the root of the repository."""
_LONGEST_SUMMARY = 300
_CONFLICT = ("<<<<<<< ", "=======", ">>>>>>> ")


_OWN_KEYS = frozenset(
    (
        *("concepts", "description", "difficulty", "id", "impact", "importance", "kind", "phase", "related", "sources"),
        *("cues", "tags", "title", "topic", "type"),
    )
)
"""The keys that are updated when the memory changes. `created_at` and `generated` keep their first values."""


@record
class MemoryFile:
    """The fields of a memory, as read from a shared file.

    None means that the file does not have the field, or has a value that Limpet does not know.
    """

    text: str
    id: str = ""
    title: str | None = None
    subtitle: str | None = None
    tags: tuple[str, ...] | None = None
    cues: str | None = None
    concepts: tuple[Concept, ...] | None = None
    kind: Kind | None = None
    type: Type | None = None
    impact: Impact | None = None
    importance: float | None = None
    difficulty: float | None = None
    files: tuple[str, ...] = ()
    """The paths in the repository of the files that the memory is about."""
    links: tuple[str, ...] = ()
    """The names of the shared files that the front matter links to."""
    created_at: str = ""
    others: tuple[tuple[str, Any], ...] = ()
    """The front matter fields that are kept when the file is rewritten: author, creation time, and unknown ones."""


def encode_document(
    memory: Memory,
    *,
    name: str,
    links: Sequence[str] = (),
    phase: Phase = Phase.FULL,
    before: MemoryFile | None = None,
) -> bytes:
    """Return the content of the file `name` for a memory.

    `links` are the names of shared files to link to. `before` is the current content of the file, if it exists; keys
    that do not depend on the memory are taken from it.
    """
    has_sections = _has_sections(memory.original_content)
    title = _choose_title(memory)
    summary = memory.subtitle or title
    keys: dict[str, Any] = {
        "concepts": [each.value for each in memory.concepts],
        "created_at": format_time(memory.created_at),
        "cues": memory.cues,
        "description": "" if has_sections else summary,
        "difficulty": round(memory.difficulty, 4),
        "generated": {"by": "human:user" if memory.effective_origin is Origin.USER else "limpet/agent"},
        "id": name,
        "impact": memory.impact.value,
        "importance": round(memory.importance, 4),
        "kind": memory.kind.value,
        "phase": int(phase),
        "related": [f"[[{link}]]" for link in sorted(links)],
        "sources": [{"resource": _UP + path} for path in _list_files(memory)],
        "tags": [_encode_tag(tag) for tag in memory.tags],
        "title": title,
        "type": memory.type.value,
    }
    # Loaded here, because most commands write no YAML.
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    given = {key: value for key, value in keys.items() if value not in ("", [])}
    given |= dict(before.others) if before is not None else {}
    head = yaml.dump(given, Dumper=dumper, allow_unicode=True, default_flow_style=False, sort_keys=True, width=1 << 20)
    body = memory.original_content
    if not has_sections:
        body = f"{_SUMMARY}\n\n{summary}\n\n{_CONTENT}\n\n{body}"
    return f"---\n{head}---\n\n{body}\n".encode()


def _choose_title(memory: Memory) -> str:
    """Return the title of a memory, or the beginning of its text if it has none.

    It is never empty, because a file with an empty summary could not be decoded.
    """
    return memory.title or clip(" ".join(memory.original_content.split()), 80)


def _has_sections(text: str) -> bool:
    """Tell whether a text already has the sections `## Summary` and `## Content`, as a merged memory's text does."""
    return text.startswith(f"{_SUMMARY}\n") and split_summary(text)[1].startswith(f"{_CONTENT}\n")


def _list_files(memory: Memory) -> list[str]:
    """Return the paths of the files that a memory is about, without files outside the repository."""
    files = dict.fromkeys((*memory.files_read, *memory.files_modified))
    return sorted(path for path in files if _is_in_repository(path))


def _is_in_repository(path: str) -> bool:
    """Tell whether a path is relative and stays inside the repository."""
    has_drive = len(path) > 1 and path[1] == ":"
    return not (path.startswith(("/", "\\", "~")) or has_drive or ".." in path.replace("\\", "/").split("/"))


def _encode_tag(tag: str) -> str:
    """Replace the spaces in a tag with hyphens, because Obsidian does not allow spaces."""
    return "-".join(tag.split())


def decode_document(data: bytes) -> MemoryFile:
    """Parse the content of a shared file; raise Unreadable with the reason if it is not valid."""
    if len(data) > MAX_FILE:
        raise Unreadable(f"it has {len(data):,} bytes and {MAX_FILE:,} are allowed; move its text to another file")
    if b"\0" in data:
        raise Unreadable("it is not text: it holds a zero byte")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Unreadable("it is empty; delete it to forget its memory, or bring its text back")
    if has_conflict(text):
        raise Unreadable("it has conflict markers of git; resolve the conflict")
    fields, body = split_front_matter(text)
    if not fields and text.startswith("---\n"):
        raise Unreadable("its front matter has no end; close it with a line `---`")
    return _read_fields(fields, trim_text(body))


def has_conflict(text: str) -> bool:
    """Tell whether a text contains git's three conflict markers in their usual order."""
    lines = text.split("\n")
    markers = iter(_CONFLICT)
    wanted = next(markers, None)
    for line in lines:
        if wanted is not None and (line == wanted if wanted == "=======" else line.startswith(wanted)):
            wanted = next(markers, None)
    return wanted is None


def _read_fields(fields: dict[str, Any], body: str) -> MemoryFile:
    title = text_field(fields, "title", "topic")
    description = text_field(fields, "description")
    text, summary = _split_body(body, description)
    if not text:
        raise Unreadable("it has no text below `## Content`; say what should be remembered")
    sources = fields.get("sources")
    named = (
        [text_field(each, "resource") for each in sources if isinstance(each, dict)]
        if isinstance(sources, list)
        else []
    )
    files = (path.removeprefix(_UP) for path in named if path.startswith(_UP))
    return MemoryFile(
        text=text,
        id=text_field(fields, "id"),
        title=title or None,
        subtitle=None if not summary or summary == title else summary,
        tags=tuple(tag.lstrip("#") for tag in list_field(fields, "tags")) if "tags" in fields else None,
        cues=text_field(fields, "cues") or None,
        concepts=_read_choices(Concept, fields, "concepts"),
        kind=_read_choice(Kind, fields, "kind"),
        type=_read_choice(Type, fields, "type"),
        impact=_read_choice(Impact, fields, "impact"),
        importance=_read_share(fields, "importance"),
        difficulty=_read_share(fields, "difficulty"),
        files=tuple(path for path in files if _is_in_repository(path)),
        links=tuple(link.strip("[]").partition("|")[0] for link in list_field(fields, "related")),
        created_at=text_field(fields, "created_at"),
        others=tuple((key, value) for key, value in fields.items() if key not in _OWN_KEYS),
    )


def _split_body(body: str, description: str) -> tuple[str, str]:
    """Split the body of a file into the text of the memory and its summary.

    The summary is `description`, unless the body has a summary section with another text.
    """
    # Without `description`, or if it is longer than a line, the section for the summary is part of the text: see
    # `_has_sections`.
    whole = f"{body}\n"
    if whole.startswith(f"{_CONTENT}\n"):
        return trim_text(body.removeprefix(_CONTENT)), description
    if whole.startswith(f"{_SUMMARY}\n"):
        head, found, rest = whole.removeprefix(_SUMMARY).partition(f"\n{_CONTENT}\n")
        summary = head.strip()
        if found and description and "\n" not in summary and len(summary) <= _LONGEST_SUMMARY:
            return trim_text(rest), summary
    return body, description


def _read_choice(choices: type[_E], fields: dict[str, Any], name: str) -> _E | None:
    """Return the enum member that a field names; None for any other value, because other tools use the field too."""
    given = text_field(fields, name)
    return next((choice for choice in choices if choice.value.casefold() == given.casefold()), None)


def _read_choices(choices: type[_E], fields: dict[str, Any], name: str) -> tuple[_E, ...] | None:
    if name not in fields:
        return None
    given = {each.casefold() for each in list_field(fields, name)}
    return tuple(choice for choice in choices if choice.value.casefold() in given)


def _read_share(fields: dict[str, Any], name: str) -> float | None:
    """Return the value of a field if it is a number from 0 to 1; otherwise None."""
    try:
        share = float(text_field(fields, name))
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


def document_agrees(document: MemoryFile, memory: Memory, *, former: Sequence[Memory] = ()) -> bool:
    """Tell whether a file agrees with a memory. Fields that the file does not have are not compared.

    `former` are earlier versions of the memory. The file may have the title or subtitle of one of them, because an edit
    of only the text can give the memory a new title while the file keeps the old one.
    """
    if document.text != memory.original_content:
        return False
    if document.title in {_choose_title(each) for each in former}:
        document = replace(document, title=None)
    if document.subtitle in {each.subtitle for each in former}:
        document = replace(document, subtitle=None)
    stored: dict[str, Any] = {
        "title": _choose_title(memory),
        "subtitle": memory.subtitle or None,
        "tags": tuple(_encode_tag(tag) for tag in memory.tags),
        "concepts": tuple(each for each in Concept if each in memory.concepts),
        "cues": memory.cues or None,
        "type": memory.type,
        "difficulty": round(memory.difficulty, 4),
    }
    # For an unconfirmed memory from outside, the door changes these fields to what its origin allows.
    if not memory.effective_origin.is_outside:
        stored |= {"kind": memory.kind, "impact": memory.impact, "importance": round(memory.importance, 4)}
    given = ((name, getattr(document, name), value) for name, value in stored.items())
    return all(each is None or _is_equal(name, each, value) for name, each, value in given)


def _is_equal(name: str, given: Any, stored: Any) -> bool:
    if name == "tags":
        return {_encode_tag(tag).lower() for tag in given} == set(stored)
    return bool(given == stored)


def propose_draft(document: MemoryFile, *, path: str, older: Memory | None = None) -> Draft:
    """Create a draft from a shared file. Its origin is `file`, whoever wrote the file.

    `path` is the path of the file in the repository. `older` is the memory that the file represented before it was
    edited, or None.
    """
    # A title or subtitle that was inferred from the older text is left out, so that it is inferred from the new text.
    title, subtitle = document.title, document.subtitle
    if older is not None and document.text != older.original_content:
        made = infer(older.original_content)
        title = None if title == older.title == made.title else title
        subtitle = None if (subtitle or "") == older.subtitle == made.subtitle else subtitle
    return Draft(
        text=document.text,
        title=title,
        subtitle=subtitle,
        tags=_restore_tags(document.tags, older),
        cues=document.cues,
        concepts=document.concepts,
        kind=document.kind,
        type=document.type,
        impact=document.impact,
        importance=document.importance,
        difficulty=document.difficulty,
        origin=Origin.FILE,
        source=Source(file=path),
        files_read=document.files,
    )


def _restore_tags(tags: tuple[str, ...] | None, older: Memory | None) -> tuple[str, ...] | None:
    """Return the tags from a file with the spaces that they have in the older version of the memory."""
    if tags is None or older is None:
        return tags
    known = {_encode_tag(tag): tag for tag in older.tags}
    return tuple(known.get(tag, tag) for tag in tags)
