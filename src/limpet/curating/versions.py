"""Find the version of a memory that a correction or a replacement applies to, or return to an earlier one."""

from __future__ import annotations

from limpet.model.change import Status
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.query import Stored
from limpet.runtime import Runtime
from limpet.upkeep.summary_members import summary_of, undo_merge


def separate_from_summary(runtime: Runtime, stored: Stored) -> Stored:
    """Undo the merge of a memory into a summary, if there was one, and return the memory's current state."""
    reading = runtime.reading()
    summary = summary_of(reading, stored)
    if summary is None or summary.status is Status.FORGOTTEN:
        return stored
    runtime.write(undo_merge(reading, summary.memory))
    return runtime.reload(stored)


def find_newest_version(runtime: Runtime, stored: Stored) -> tuple[Stored, str]:
    """Return the newest version of a memory, and a message for the user.

    The message is an empty string if `stored` is already the newest version.
    """
    reading = runtime.reading()
    newest = stored
    while newest.status is Status.SUPERSEDED and newest.memory.superseded_by:
        following = reading.get(newest.memory.superseded_by)
        if following is None:
            break
        newest = following
    if newest is stored:
        return stored, ""
    return newest, f"{stored.memory.id} was corrected before; this corrects {newest.memory.id}"


def draft_again(old: Memory, *, origin: Origin) -> Draft:
    """Return a draft with the text and the fields of an older version of a memory."""
    return Draft(text=old.original_content, origin=origin, **{name: getattr(old, name) for name in _SAME_FIELDS})


_SAME_FIELDS = (
    *("kind", "type", "impact", "importance", "difficulty", "confidence", "title", "subtitle", "tags", "cues"),
    *("concepts", "sensitivity", "files_read", "files_modified"),
)
