"""Correct a memory: store a new version that supersedes it. Both are kept."""

from __future__ import annotations

from limpet.errors import Refused
from limpet.lean.record import replace
from limpet.model.answers import encode_outcome
from limpet.model.change import Status
from limpet.model.outcome import Outcome, Rejected
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FIELDS, ID
from limpet.operations.permissions import find_visible, require_visible
from limpet.operations.remember import build_draft
from limpet.runtime import Runtime
from limpet.upkeep.summary_members import summary_of, undo_merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(runtime: Runtime, *, id: str, text: str, **fields: Any) -> Outcome:
    asked = separate_from_summary(runtime, find_visible(runtime, id))
    newest, note = find_newest_version(runtime, asked)
    require_visible(runtime, newest)
    if newest.status is Status.FORGOTTEN:
        raise Refused(f"{newest.memory.id} is forgotten; restore it first: limpet restore {newest.memory.id}")
    door = runtime.admission()
    draft = build_draft(runtime, text=text, **fields)
    outcome = door.admit(draft, correcting=newest)
    runtime.write(door.changes)
    return replace(outcome, notes=(*outcome.notes, note)) if note else outcome


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


VERB = Verb(
    run=run,
    to_json=lambda outcome, now: encode_outcome(outcome),
    is_failure=lambda outcome: isinstance(outcome, Rejected),
    params=(
        ID,
        Param(name="text", help="The better text.", positional=True, required=True, free_text=True),
        *FIELDS,
    ),
    examples=('limpet correct mem_01jz4 "The default port is 9090"',),
)
