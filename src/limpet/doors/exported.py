"""Clean a memory from an export file, and limit what a line without a signature by a key of this machine can do.

Such a line may come from anyone. Its text is imported with the origin `import`. If it asks to replace, forget, confirm
or pin a memory, or to recognise a project, this is only proposed to the user, together with the command to do it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from limpet.doors.cleaning import clean_text
from limpet.doors.fields import clean_memory
from limpet.doors.limits import limit_by_origin
from limpet.lean.record import record, replace
from limpet.model.change import Status
from limpet.model.ids import is_body
from limpet.model.memory import Memory, Origin, Region, Sensitivity
from limpet.model.scope import token_of
from limpet.secrets.redact import redact
from limpet.settings import AdmitSettings
from limpet.store.protocol import Reading
from limpet.text.similarity import content_hash
from limpet.text.tokens import count_tokens
from limpet.workspace import make_slug
from limpet.workspace.files import clean_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROJECT = re.compile(r"prj_[0-9a-z]{1,64}")
_MOST_KEYS = 3


@record
class ExportedMemory:
    """A cleaned memory from an export, the kinds of secrets that were removed, and remarks for the user."""

    memory: Memory
    is_unchanged: bool
    """Whether nothing was changed, so that the signature of the memory is still valid."""
    redacted: tuple[str, ...]
    notes: tuple[str, ...]


def is_id(text: str, prefix: str = "mem_") -> bool:
    """Tell whether a text has the form of an id with this prefix."""
    return text.startswith(prefix) and is_body(text.removeprefix(prefix))


def check_memory(memory: Memory) -> Memory:
    """Return the memory; raise ValueError if an id in it is malformed, because ids become file names and keys."""
    for name in ("id", "corrects", "previous_memory_id", "superseded_by"):
        value = getattr(memory, name)
        if value is not None and not is_id(value):
            raise ValueError(f"{name} is not a memory id")
    if not all(map(is_id, memory.lineage)):
        raise ValueError("lineage holds something that is not a memory id")
    if memory.corrects and memory.corrects not in memory.lineage:
        raise ValueError("corrects is not in its lineage")
    if make_slug(memory.agent) != memory.agent:
        raise ValueError("agent is not an agent's id")
    if memory.region is Region.PROJECT and not PROJECT.fullmatch(memory.project or "") and not memory.app:
        raise ValueError("a memory of a project must name it")
    return memory


def clean_exported(memory: Memory, *, settings: AdmitSettings, authentic: bool) -> ExportedMemory:
    """Return an exported memory after cleaning its texts and fields.

    If it is not authentic or had to be changed, it becomes an unconfirmed import. `authentic` tells whether it is
    signed with a key of this machine. Raise Unfit if the memory cannot be stored.
    """
    cleaned = clean_text(memory.original_content, limit=settings.max_bytes)
    shown = clean_text(memory.content, limit=settings.max_bytes).text
    fresh, redacted = clean_memory(memory, redacting=settings.redact)
    original = cleaned.text
    if settings.redact:
        original, kinds = redact(original)
        shown, _ = redact(shown)
        redacted = (*kinds, *redacted)
    fresh = replace(
        fresh, original_content=original, content=shown, content_hash=content_hash(original), superseded_by=None
    )
    is_unchanged = authentic and fresh == replace(memory, superseded_by=None)
    if not is_unchanged:
        fresh = limit_by_origin(
            replace(
                fresh,
                origin=Origin.lowest((fresh.origin, Origin.IMPORT)),
                confirmed=False,
                token_count=count_tokens(shown),
                signature=None,
            )
        )
        if redacted and fresh.sensitivity is Sensitivity.PUBLIC:
            fresh = replace(fresh, sensitivity=Sensitivity.PRIVATE)
    return ExportedMemory(memory=fresh, is_unchanged=is_unchanged, redacted=redacted, notes=cleaned.notes)


def propose_changes(memory: Memory, *, reading: Reading) -> Iterator[str]:
    """Yield a proposal, as a text for the user, for each change that an unsigned memory requests.

    A memory may request to replace another memory, or to be confirmed or pinned.
    """
    if memory.corrects and reading.get(memory.corrects):
        yield f"would replace {memory.corrects}; if you agree: limpet correct {memory.corrects}"
    for claim, command in ((memory.confirmed, "confirm"), (memory.pinned, "pin")):
        if claim:
            yield f"would {command} {memory.id}; if you agree: limpet {command} {memory.id}"


def propose_forgetting(memory: Memory, *, reading: Reading) -> Iterator[str]:
    """Yield proposals to forget memories, because an unsigned memory in the export is forgotten.

    These are its older versions and the memories with the same text. If there are none, yield a remark.
    """
    named = [stored for stored in map(reading.get, memory.lineage) if stored is not None]
    same = reading.same_text(token_of(memory), content_hash(memory.original_content))
    live = dict.fromkeys(stored.memory.id for stored in (*named, *same) if stored.status is Status.LIVE)
    for id in live:
        yield f"would forget {id}; if you agree: limpet forget {id}"
    if not live:
        yield "was forgotten where it was exported, so it was not taken"


def find_forgotten(memory: Memory, *, reading: Reading, imported: Container[str]) -> str:
    """Return the id of a memory with the same text that was forgotten here; an empty string if there is none.

    What the export itself says was forgotten, and stored again later, does not count: `imported` are its ids.
    """
    same = () if memory.corrects else reading.same_text(token_of(memory), content_hash(memory.original_content))
    if any(each.status is Status.LIVE for each in same):
        return ""
    forgotten = (each.memory.id for each in same if each.status is Status.FORGOTTEN)
    return next((id for id in forgotten if id not in imported), "")


def propose_keys(project: dict[str, Any], keys: list[str]) -> str:
    """Return a proposal to the user to accept the project keys from the header of an unsigned export."""
    name = clean_label(str(project.get("name") or project["id"]), 80)
    shown = ", ".join(keys[:_MOST_KEYS]) + (" and others" if len(keys) > _MOST_KEYS else "")
    return f"would know the project {name!r} by {shown}; if you agree: import it with --here in its folder"


def remove_outside_references(memory: Memory, unsigned: set[str]) -> Memory:
    """Return an unsigned memory without its pin, and without its references to older versions.

    The references are kept if all of them are in `unsigned`, which contains the ids of the new unsigned memories in the
    same export.
    """
    # Ids that are not known are removed too, because a memory with such an id may arrive from another machine.
    memory = replace(memory, pinned=False)
    if unsigned.issuperset((*memory.lineage, *filter(None, (memory.corrects,)))):
        return memory
    return replace(memory, corrects=None, lineage=(), version=1, previous_memory_id=None)
