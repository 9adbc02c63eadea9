"""Correct a memory: store a new version that supersedes it. Both are kept."""

from __future__ import annotations

from limpet.curating.versions import draft_again, find_newest_version, separate_from_summary
from limpet.curating.writing import build_draft
from limpet.doors.replaced import supersede_same_text
from limpet.errors import Refused, UsageError
from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.memory import Region
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FIELDS, ID, REGION
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(runtime: Runtime, *, id: str, text: str | None = None, region: Region | None = None, **fields: Any) -> Outcome:
    """Replace a memory by a better text, or only move its text to another region if there is no better one."""
    given = any(value is not None for value in fields.values())
    if not text and (region is None or given):
        raise UsageError("text is missing; give the better text, or --region alone to move the memory as it is")
    if region is Region.AGENT and runtime.caller.is_agent:
        raise Refused("only a person can let every project see a memory; ask the user to run this in a terminal")
    asked = separate_from_summary(runtime, find_visible(runtime, id))
    newest, note = find_newest_version(runtime, asked)
    require_visible(runtime, newest)
    if newest.status is Status.FORGOTTEN:
        raise Refused(f"{newest.memory.id} is forgotten; restore it first: limpet restore {newest.memory.id}")
    if not text and region is newest.memory.region:
        return Duplicate(memory=newest.memory, notes=(f"its region is {region} already; nothing was changed",))
    door = runtime.admission()
    if text:
        draft = build_draft(runtime, text=text, **fields)
    else:
        old = newest.memory
        draft = draft_again(
            old, origin=min((old.effective_origin, runtime.caller.origin), key=lambda each: each.ceiling)
        )
    outcome = door.admit(replace(draft, region=region), correcting=newest, returning=not text)
    changes, notes = door.changes, [note] if note else []
    if isinstance(outcome, Admitted):
        twins, says = supersede_same_text(
            runtime.reading(),
            outcome.memory,
            now=runtime.now(),
            actor=runtime.actor,
            replacing=newest.memory.id,
            sees_private=not runtime.caller.is_agent,
        )
        changes = [*changes, *twins]
        notes += [says.removeprefix("; ")] if says else []
    runtime.write(changes)
    return replace(outcome, notes=(*outcome.notes, *notes))


VERB = Verb(
    run=run,
    is_failure=lambda outcome: isinstance(outcome, Rejected),
    params=(
        ID,
        Param(
            name="text",
            help="The better text; can be left out with --region, which then only moves the memory.",
            positional=True,
            free_text=True,
        ),
        REGION,
        *FIELDS,
    ),
    examples=('limpet correct mem_01jz4 "The default port is 9090"', "limpet correct mem_01jz4 --region PROJECT"),
)
