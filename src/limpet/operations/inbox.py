"""List the notes that wait for a decision, and keep, edit or drop them.

A note is a memory that was captured from a session. A model is not shown it at the start of later sessions until
somebody keeps it. A person who keeps a note confirms it, which raises its trust. A person who edits a note confirms the
corrected text. A dropped note is hidden, and the same text is not noted again. A model may keep and drop notes too, but
that does not raise their trust.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.doors.replaced import encode_replaced, find_replaced_alone, replace_again, restore_replaced
from limpet.errors import Refused
from limpet.inject.trial import rank_for_trial
from limpet.lean.record import field, record, replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Draft, Memory, Origin, Tier
from limpet.model.outcome import Admitted, Outcome, Rejected
from limpet.model.query import NO_LIMIT, Page, Query, Stored
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Where, token_of
from limpet.operations.catalogue import Param, Verb
from limpet.operations.confirm import confirm_change
from limpet.operations.parameters import ALL_PROJECTS, CODE, OFFSET, PRIVATE, check_page, limit_param
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_person, visible_sensitivities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BY_MODEL = "chosen by the agent"
"""The value of the field `earned` in a note that a model has kept."""
DECIDING = "decide about a note"
SITTING = 10
"""The number of notes that are listed at once. More in one sitting are decided without being read."""


@record
class InboxAnswer:
    """A page of the notes that wait for a decision, best first, and the notes that this call has kept or dropped."""

    notes: Page[Stored]
    kept: tuple[Stored, ...] = ()
    dropped: tuple[Stored, ...] = ()
    projects: dict[str, str] = field(default_factory=dict)
    """The names of the projects of the listed notes, by project id."""
    older: dict[str, tuple[Memory, ...]] = field(default_factory=dict)
    """The kept memories that a note kept by this call may replace, by the id of the note."""
    confirmable: tuple[str, ...] = ()
    """Sentences about other things that a person can confirm, each with the command to do so."""

    @property
    def is_decided(self) -> bool:
        """Tell whether this call has kept or dropped notes, rather than only listed them."""
        return bool(self.kept or self.dropped)


@record
class NoteDecision:
    """A decision about a note, with the note's state before and after it."""

    kind: ChangeKind
    before: Stored
    after: Stored


def run(
    runtime: Runtime,
    *,
    keep: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    limit: int = SITTING,
    offset: int = 0,
    private: bool = False,
    all_projects: bool = False,
    code: str | None = None,
    by_model: bool = False,
) -> InboxAnswer:
    """Keep and drop the notes with these ids, and list the notes that still wait for a decision.

    `by_model` is set by the tool that models use. Then the caller need not be a person, and no trust is raised.
    """
    check_page(limit, offset)
    chosen = _find_notes(runtime, keep or (), all_projects), _find_notes(runtime, drop or (), all_projects)
    both = {each.memory.id for each in chosen[0]}.intersection(each.memory.id for each in chosen[1])
    if both:
        raise Refused(f"{sorted(both)[0]} is named in both --keep and --drop; choose one, nothing was changed")
    kept: tuple[Stored, ...] = ()
    dropped: tuple[Stored, ...] = ()
    if any(chosen):
        # Checking a one-time code uses it up, so the ids are looked up first.
        proof = None if by_model else require_person(runtime, "inbox", code=code, doing=DECIDING)
        changes = [_keep_change(runtime, each, proof) for each in chosen[0]]
        replaced = find_replaced_alone(runtime.reading(), chosen[1])
        changes += restore_replaced(replaced, actor=runtime.actor)
        runtime.write([*changes, *(_drop_change(runtime, each, proof, replaced) for each in chosen[1])])
        kept, dropped = (tuple(runtime.reload(each) for each in stored) for stored in chosen)
    notes = list_notes(runtime, limit=limit, offset=offset, private=private, every_project=all_projects)
    return InboxAnswer(
        notes=notes,
        kept=kept,
        dropped=dropped,
        projects=name_projects(runtime, notes.items),
        older={each.memory.id: older for each in kept if (older := find_older(runtime, each.memory))},
        confirmable=() if runtime.caller.is_agent else tuple(_find_confirmable(runtime)),
    )


def find_older(runtime: Runtime, note: Memory) -> tuple[Memory, ...]:
    """Return the kept memories that a note which was just kept may replace."""
    # Loaded here, because the notes are mostly only listed.
    from limpet.doors.similar import choose_older, find_similar

    sees_private = not runtime.caller.is_agent
    similar = find_similar(
        note, token_of(note), reading=runtime.reading(), now=runtime.now(), sees_private=sees_private
    )
    return choose_older([each for each in similar if each.memory.created_at <= note.created_at])


def list_notes(
    runtime: Runtime, *, limit: int, offset: int = 0, private: bool = False, every_project: bool = False
) -> Page[Stored]:
    """Return a page of the notes that wait for a decision.

    Those that the next session start may tell on trial come first, in the same order. The others are sorted by
    importance (highest first), then by the trust of their origin (highest first), then by age (newest first).
    """
    query = Query(
        scope=runtime.scope(every_project=every_project),
        tier=Tier.NOTED,
        sensitivity=visible_sensitivities(runtime, private=private, sensitivity=None),
        now=runtime.now(),
        limit=NO_LIMIT,
    )
    found = [each for each in runtime.reading().browse(query).items if each.memory.type not in SUMMARIES]
    reading, session = runtime.reading(), runtime.session
    due = rank_for_trial(query.scope, reading=reading, session=session, now=query.now) if found else []
    places = {stored.memory.id: number for number, stored in enumerate(due)} if runtime.settings.inject.trial else {}
    ordered = sorted(found, key=lambda each: (places.get(each.memory.id, len(found)), *_rank_note(each)))
    shown = tuple(runtime.signer.judge(each) for each in ordered[offset : offset + limit])
    return Page(items=shown, total=len(found), offset=offset)


def _rank_note(stored: Stored) -> tuple[float, float, float]:
    memory = stored.memory
    return -memory.importance, -memory.origin.ceiling, -memory.created_at.timestamp()


def name_projects(runtime: Runtime, notes: Sequence[Stored]) -> dict[str, str]:
    """Return the names of the projects of these notes, by project id."""
    found = (runtime.recent().project(id) for id in {each.memory.project for each in notes} if id is not None)
    return {project.id: project.name for project in found if project is not None}


def _find_confirmable(runtime: Runtime) -> list[str]:
    """Return sentences about what else a person can confirm: imported memories, shared files, and other machines."""
    query = Query(scope=runtime.scope(), origin=Origin.IMPORT, tier=Tier.KEPT, now=runtime.now(), limit=NO_LIMIT)
    imported = [each for each in runtime.reading().browse(query).items if not each.memory.confirmed]
    lines = []
    if imported:
        named = "1 imported memory is" if len(imported) == 1 else f"{len(imported):,} imported memories are"
        lines.append(f"{named} told only when asked for until you confirm: limpet confirm --source origin:import")
    lines += _describe_unconfirmed_files(runtime)
    for device in runtime.store.held_devices():
        lines.append(f"another machine has written to the journal; to use that: limpet confirm --device {device}")
    return lines


def _describe_unconfirmed_files(runtime: Runtime) -> list[str]:
    """Return sentences about the memories in shared files and the changes of them that wait for a person."""
    # Loaded here, because most projects have no shared files.
    from limpet.sharing.choice import find_proposed, find_unconfirmed
    from limpet.sharing.folder import find_shared_folder

    lines = []
    if waiting := len(find_unconfirmed(runtime)):
        named = "1 memory from a shared file is" if waiting == 1 else f"{waiting:,} memories from shared files are"
        lines.append(f"{named} told only when asked for until you approve: limpet confirm --project")
    folder = find_shared_folder(runtime)
    if folder is not None and (count := len(find_proposed(runtime, folder))):
        named = "1 memory" if count == 1 else f"{count:,} memories"
        lines.append(
            f"the shared files change or delete {named} that you have confirmed; "
            "nothing of that counts until you agree: limpet confirm --project"
        )
    return lines


def _find_notes(runtime: Runtime, ids: Sequence[str], every_project: bool) -> tuple[Stored, ...]:
    found = (find_visible(runtime, id, every_project=every_project) for id in ids)
    notes = {each.memory.id: each for each in found}
    for each in notes.values():
        if not is_note(each):
            raise Refused(
                f"{each.memory.id} is not a note that waits for a decision; nothing was changed, "
                "`limpet inbox` lists the notes"
            )
    return tuple(notes.values())


def is_note(stored: Stored) -> bool:
    """Tell whether a memory is a note that waits for a decision. Session summaries are not."""
    memory = stored.memory
    return stored.status is Status.LIVE and memory.tier is Tier.NOTED and memory.type not in SUMMARIES


def _keep_change(runtime: Runtime, stored: Stored, proof: dict[str, object] | None) -> Change:
    if proof is None:
        return runtime.change(ChangeKind.KEEP, stored.memory, {"earned": BY_MODEL})
    return confirm_change(runtime, stored, proof)


def _drop_change(
    runtime: Runtime, stored: Stored, proof: dict[str, object] | None, replaced: Sequence[Memory]
) -> Change:
    # The user's own words are only kept from being noted again if the change has the proof of a person.
    return runtime.change(ChangeKind.DROP, stored.memory, {**(proof or {}), **encode_replaced(replaced)})


class Review:
    """A series of a person's decisions about notes. Each is written immediately, and the last one can be undone."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._proof = require_person(runtime, "inbox", code=None, doing=DECIDING)
        self.decisions: list[NoteDecision] = []

    def refresh(self, stored: Stored) -> Stored | None:
        """Return the current state of a note; None if another process has kept or dropped it in the meantime."""
        current = self._runtime.reload(stored)
        return current if is_note(current) else None

    def keep(self, stored: Stored) -> tuple[Memory, ...]:
        """Keep a note unchanged, confirm it, and return the kept memories that it may replace."""
        self._write_decision(ChangeKind.CONFIRM, stored, [confirm_change(self._runtime, stored, self._proof)])
        return find_older(self._runtime, stored.memory)

    def drop(self, stored: Stored) -> None:
        """Hide a note; the same text is not noted again."""
        runtime = self._runtime
        replaced = find_replaced_alone(runtime.reading(), [stored])
        back = restore_replaced(replaced, actor=runtime.actor)
        self._write_decision(ChangeKind.DROP, stored, [_drop_change(runtime, stored, self._proof, replaced), *back])

    def edit(self, stored: Stored, text: str) -> Outcome:
        """Replace the text of a note, keep and confirm it, and return the outcome.

        If the text is rejected or is the same as before, nothing changes.
        """
        runtime = self._runtime
        door = runtime.admission(where=_choose_where(runtime, stored.memory))
        outcome = door.admit(Draft(text=text, origin=runtime.caller.origin), correcting=stored)
        if not isinstance(outcome, Admitted):
            # A person who did not change the text has not confirmed it.
            return outcome
        better = runtime.signer.judge(Stored(memory=outcome.memory))
        runtime.write([*door.changes, confirm_change(runtime, better, self._proof)])
        self.decisions.append(NoteDecision(kind=ChangeKind.CORRECT, before=stored, after=runtime.reload(better)))
        return outcome

    def undo(self) -> Stored | Rejected | None:
        """Undo the last decision and return its note; None if nothing was decided, `Rejected` if undoing fails."""
        if not self.decisions:
            return None
        decision = self.decisions[-1]
        before, after = decision.before, decision.after
        back = before
        match decision.kind:
            case ChangeKind.DROP:
                runtime = self._runtime
                again = replace_again(runtime.reading(), before.memory, actor=runtime.actor)
                runtime.write([runtime.change(ChangeKind.RESTORE, before.memory, self._proof), *again])
            case ChangeKind.CONFIRM:
                self._runtime.write([_unconfirm_change(self._runtime, after, before.memory, self._proof)])
            case _:
                found = self._restore_text(before, after)
                if isinstance(found, Rejected):
                    return found
                back = found
        self.decisions.pop()
        return self._runtime.reload(back)

    def _restore_text(self, note: Stored, edited: Stored) -> Stored | Rejected:
        """Give an edited note its earlier text again, and make it an unconfirmed note."""
        # The journal is append-only, so this is another correction.
        runtime = self._runtime
        door = runtime.admission(where=_choose_where(runtime, note.memory))
        outcome = door.admit(_copy_note(note.memory), correcting=edited, returning=True)
        if isinstance(outcome, Rejected):
            return outcome
        if not isinstance(outcome, Admitted):
            return Rejected(reason=f"{outcome.memory.id} has the same words")
        again = runtime.signer.judge(Stored(memory=outcome.memory))
        runtime.write([*door.changes, _unconfirm_change(runtime, again, note.memory, self._proof)])
        return again

    def _write_decision(self, kind: ChangeKind, stored: Stored, changes: list[Change]) -> None:
        self._runtime.write(changes)
        self.decisions.append(NoteDecision(kind=kind, before=stored, after=self._runtime.reload(stored)))


def _unconfirm_change(runtime: Runtime, stored: Stored, note: Memory, proof: dict[str, object]) -> Change:
    """Return the change that makes a confirmed memory an unconfirmed note again, with the confidence of `note`."""
    memory = replace(stored.memory, confirmed=False)
    payload = {"confirmed": False, "confidence": note.confidence, **runtime.signer.sign_again(stored, memory), **proof}
    return runtime.change(ChangeKind.NOTE, memory, payload)


def _copy_note(note: Memory) -> Draft:
    """Return a draft with the text and the fields of a note."""
    return Draft(
        text=note.original_content,
        kind=note.kind,
        type=note.type,
        concepts=note.concepts,
        tags=note.tags,
        title=note.title,
        subtitle=note.subtitle,
        impact=note.impact,
        importance=note.importance,
        difficulty=note.difficulty,
        confidence=note.confidence,
        sensitivity=note.sensitivity,
        origin=note.origin,
        tier=Tier.NOTED,
        session=note.session,
        source=note.source,
        files_read=note.files_read,
        files_modified=note.files_modified,
    )


def _choose_where(runtime: Runtime, memory: Memory) -> Where:
    """Return the project, branch and session to record with a correction of a note.

    If the note belongs to another project, the branch and commit of this folder are left out.
    """
    where = runtime.where()
    if memory.project in (None, where.project):
        return where
    return Where(agent=memory.agent, project=memory.project, session=where.session)


def shape(answer: InboxAnswer) -> dict[str, Any]:
    return {
        "memories": answer.notes.items,
        "total": answer.notes.total,
        "offset": answer.notes.offset,
        "has_more": answer.notes.has_more,
        "kept": [stored.memory.id for stored in answer.kept],
        "dropped": [stored.memory.id for stored in answer.dropped],
        "older": {id: [each.id for each in older] for id, older in answer.older.items()},
        "confirmable": list(answer.confirmable),
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
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
    examples=("limpet inbox", "limpet inbox --limit 10", "limpet inbox --json", "limpet inbox --drop mem_01jz4"),
)
