"""List the notes that wait for a decision, keep or drop some of them, or undo the last decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from limpet.care.confirmation import describe_waiting
from limpet.curating.decisions import Sitting, undo_last_sitting
from limpet.curating.waiting import SITTING, InboxAnswer, is_note, read_inbox
from limpet.errors import Refused
from limpet.lean.record import replace
from limpet.model.query import Stored, check_page
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, CODE, OFFSET, PRIVATE, limit_param
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_person, visible_sensitivities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(
    runtime: Runtime,
    *,
    action: str | None = None,
    keep: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    limit: int = SITTING,
    offset: int = 0,
    private: bool = False,
    all_projects: bool = False,
    code: str | None = None,
    by_model: bool = False,
) -> InboxAnswer:
    """Keep and drop the notes with these ids, or undo the last sitting, and list the notes that wait for a decision.

    `by_model` is set by the tool that models use. Then the caller need not be a person, and no trust is raised.
    """
    check_page(limit, offset)
    kept, dropped = _find_notes(runtime, keep or (), all_projects), _find_notes(runtime, drop or (), all_projects)
    both = {each.memory.id for each in kept}.intersection(each.memory.id for each in dropped)
    if both:
        raise Refused(f"{sorted(both)[0]} is named in both --keep and --drop; choose one, nothing was changed")
    prove = partial(require_person, runtime, "inbox", code=code, doing="decide about a note")
    done: dict[str, Any] = {}
    # Checking a one-time code uses it up, so the ids are looked up first.
    if kept or dropped:
        sitting = Sitting(runtime, None if by_model else prove())
        sitting.decide(keep=kept, drop=dropped)
        reloaded = [tuple(map(runtime.reload, notes)) for notes in (kept, dropped)]
        older = {each.memory.id: found for each in kept if (found := sitting.find_older(each))}
        done = {"kept": reloaded[0], "dropped": reloaded[1], "older": older, "told": sitting.find_newly_told()}
    elif action == "undo":
        done = {"undone": undo_last_sitting(runtime, runtime.scope(every_project=all_projects), prove)}
    answer = read_inbox(
        runtime,
        for_model=by_model or runtime.caller.is_agent,
        limit=limit,
        offset=offset,
        sensitivity=visible_sensitivities(runtime, private=private, sensitivity=None),
        every_project=all_projects,
    )
    return replace(answer, **done, confirmable=() if runtime.caller.is_agent else tuple(describe_waiting(runtime)))


def _find_notes(runtime: Runtime, ids: Sequence[str], every_project: bool) -> tuple[Stored, ...]:
    found = (find_visible(runtime, id, every_project=every_project) for id in ids)
    notes = {each.memory.id: each for each in found}
    for id, each in notes.items():
        if not is_note(each):
            raise Refused(f"{id} is not a note that waits for a decision; nothing was changed, see `limpet inbox`")
    return tuple(notes.values())


def shape(answer: InboxAnswer) -> dict[str, Any]:
    decided = {"kept": answer.kept, "dropped": answer.dropped, "undone": answer.undone}
    return {
        "memories": answer.notes.items,
        "answered": answer.answered,
        "total": answer.notes.total,
        "offset": answer.notes.offset,
        "has_more": answer.notes.has_more,
        **{name: [stored.memory.id for stored in notes] for name, notes in decided.items()},
        "older": {id: [each.id for each in older] for id, older in answer.older.items()},
        "told": [memory.content for memory in answer.told],
        "confirmable": answer.confirmable,
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="action",
            help="Give `undo` to undo the last sitting.",
            kind="choice",
            choices=("undo",),
            positional=True,
        ),
        Param(name="keep", help="Ids of notes to keep, without asking.", many=True),
        Param(name="drop", help="Ids of notes to drop, without asking.", many=True),
        limit_param(SITTING, what="notes"),
        OFFSET,
        PRIVATE,
        ALL_PROJECTS,
        CODE,
    ),
    details=(
        "A note is a memory that Limpet captured by itself and that nobody has decided about. On a terminal the notes "
        "are shown one after the other, ten at a sitting, first those that the next session start may tell, and one "
        "key decides: k keep, e edit, d drop, n next, u undo, a all the rest, q quit. Each decision is written "
        "immediately. A kept note counts as your own word and may be told when a session starts; a dropped one is "
        "hidden and not noted again. Notes that nobody decides about fade by themselves. With --json, or without a "
        "terminal, the notes are only listed. Only a person can decide."
    ),
    examples=("limpet inbox", "limpet inbox undo", "limpet inbox --json", "limpet inbox --drop mem_01jz4"),
)
