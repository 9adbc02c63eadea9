"""Keep, edit and drop notes, and undo that: in the same sitting, or later from the journal.

A person who keeps a note confirms it, which raises its trust. A person who edits a note confirms the corrected text. A
dropped note is hidden, and the same text is not noted again. A model may keep and drop notes too, but that does not
raise their trust. Every change of a sitting names it, so that the sitting can be undone as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.curating.versions import draft_again
from limpet.curating.waiting import is_note
from limpet.doors.replaced import encode_replaced, find_replaced_alone, replace_again, restore_replaced
from limpet.doors.similar import choose_older, find_similar
from limpet.errors import Refused
from limpet.lean.record import record, replace
from limpet.learning.stages import preview_start
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.fold import fold_memories, sort_changes
from limpet.model.ids import new_id
from limpet.model.memory import Draft, Memory, Tier
from limpet.model.outcome import Admitted, Outcome, Rejected
from limpet.model.query import Stored
from limpet.model.receipt import TRIAL
from limpet.model.scope import Scope, Where, token_of
from limpet.runtime import Runtime

BY_MODEL = "chosen by the agent"
"""The value of the field `earned` in a note that a model has kept."""
_SITTING = "sitting"
"""The entry of a change that tells in which sitting it was decided: the id of the sitting."""
_DECISIONS = (ChangeKind.CONFIRM, ChangeKind.KEEP, ChangeKind.DROP)
_DECIDING = (*_DECISIONS, ChangeKind.NOTE, ChangeKind.FORGET, ChangeKind.RESTORE, ChangeKind.PIN)
"""The changes of which only the last one about a memory stands."""
_MOST_DECISIONS = 1000


@record
class Decision:
    """What was decided with one key: the word for it, and the change of each note."""

    word: str
    changes: tuple[Change, ...]


class Sitting:
    """The decisions of one caller, each written immediately. All of them can be undone, the last one first."""

    def __init__(self, runtime: Runtime, proof: dict[str, object] | None) -> None:
        """Begin a sitting. `proof` shows that the caller is a person; it is None for a model."""
        self._runtime = runtime
        self._proof = proof
        self._payload = {_SITTING: new_id("sitting", runtime.now_ms()), **(proof or {})}
        self._told = set() if proof is None else _find_told(runtime)
        self.decisions: list[Decision] = []

    def refresh(self, stored: Stored) -> Stored | None:
        """Return the current state of a note; None if another process has kept or dropped it in the meantime."""
        current = self._runtime.reload(stored)
        return current if is_note(current) else None

    def decide(self, *, keep: Sequence[Stored] = (), drop: Sequence[Stored] = ()) -> None:
        """Keep notes unchanged, and hide others. What is hidden is not noted again, and what it had replaced returns.

        A person who keeps a note confirms it.
        """
        runtime, payload = self._runtime, self._payload
        if self._proof is None:
            earned = {"earned": BY_MODEL, **payload}
            kept = [runtime.change(ChangeKind.KEEP, each.memory, earned) for each in keep]
        else:
            kept = [confirm_change(runtime, each, payload) for each in keep]
        replaced = [find_replaced_alone(runtime.reading(), [each]) for each in drop]
        # The user's own words are only kept from being noted again if the change has the proof of a person.
        dropped = [
            runtime.change(ChangeKind.DROP, each.memory, {**payload, **encode_replaced(older)})
            for each, older in zip(drop, replaced, strict=True)
        ]
        back = restore_replaced((each for older in replaced for each in older), actor=runtime.actor)
        written = runtime.write([*kept, *dropped, *back])[: len(kept) + len(dropped)]
        self.decisions.append(Decision(word="kept" if keep else "dropped", changes=written))

    def find_older(self, kept: Stored) -> tuple[Memory, ...]:
        """Return the kept memories that a note which was just kept may replace."""
        runtime, note = self._runtime, kept.memory
        private, reading = not runtime.caller.is_agent, runtime.reading()
        similar = find_similar(note, token_of(note), reading=reading, now=runtime.now(), sees_private=private)
        return choose_older([each for each in similar if each.memory.created_at <= note.created_at])

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
        written = runtime.write([*door.changes, confirm_change(runtime, better, self._payload)])
        self.decisions.append(Decision(word="edited", changes=written[-1:]))
        return outcome

    def undo(self) -> tuple[Stored, ...]:
        """Undo the last decision and return its notes; raise Refused if there is none, or if it cannot be undone."""
        if not self.decisions:
            raise Refused("there is nothing to undo")
        notes = _undo_changes(self._runtime, self.decisions[-1].changes, self._proof or {})
        self.decisions.pop()
        return notes

    def find_newly_told(self) -> tuple[Memory, ...]:
        """Return the memories that the next session start tells, and would not have told before this sitting.

        Those that it only tells on trial come last.
        """
        if self._proof is None:
            return ()
        reading = self._runtime.reading()
        told = sorted(_find_told(self._runtime) - self._told, key=lambda pair: (pair[1] == TRIAL, pair[0]))
        return tuple(each.memory for id, _ in told if (each := reading.get(id)) is not None)


def confirm_change(runtime: Runtime, stored: Stored, payload: dict[str, object]) -> Change:
    """Return the change that records that a person has confirmed a memory. `payload` contains the proof."""
    memory = replace(stored.memory, confirmed=True, confidence=1.0)
    return runtime.change(ChangeKind.CONFIRM, memory, {**runtime.signer.sign_again(stored, memory), **payload})


def _find_last_sitting(runtime: Runtime, scope: Scope) -> tuple[Change, ...]:
    """Return the decisions of the last sitting in a scope of which any still stand, oldest first."""
    reading, tokens = runtime.reading(), scope.tokens()
    found: list[Change] = []
    for id in reading.changed_ids(_DECISIONS, limit=_MOST_DECISIONS):
        stored = reading.get(id)
        if stored is None or (tokens is not None and token_of(stored.memory) not in tokens):
            continue
        last = next((each for each in reversed(reading.history(id)) if each.kind in _DECIDING), None)
        if last is None or _SITTING not in last.payload or stored.status not in (Status.LIVE, Status.FORGOTTEN):
            continue
        if found and last.payload[_SITTING] != found[0].payload[_SITTING]:
            break
        found.append(last)
    return tuple(sort_changes(found))


def undo_last_sitting(runtime: Runtime, scope: Scope, prove: Callable[[], dict[str, object]]) -> tuple[Stored, ...]:
    """Undo the decisions of the last sitting that still stand, and return their notes.

    `prove` returns the proof that the caller is a person. It is called if there is anything to undo.
    """
    changes = _find_last_sitting(runtime, scope)
    if not changes:
        raise Refused("there is no decision to undo here")
    return _undo_changes(runtime, changes, prove())


def _undo_changes(runtime: Runtime, changes: Sequence[Change], proof: dict[str, object]) -> tuple[Stored, ...]:
    """Undo decisions, the last one first, and return their notes; raise Refused at one that cannot be undone."""
    return tuple([runtime.reload(_undo_change(runtime, each, proof)) for each in reversed(changes)][::-1])


def _undo_change(runtime: Runtime, change: Change, proof: dict[str, object]) -> Stored:
    reading = runtime.reading()
    current, history = reading.get(change.subject), reading.history(change.subject)
    before = next(iter(fold_memories(each for each in history if each.id < change.id)), None)
    if current is None or before is None:
        raise Refused(f"{change.subject} was purged")
    memory = before.memory
    if change.kind == ChangeKind.DROP:
        again = replace_again(reading, memory, actor=runtime.actor)
        runtime.write([runtime.change(ChangeKind.RESTORE, memory, proof), *again])
        return current
    older = reading.get(memory.corrects or "")
    if memory.tier is Tier.KEPT and older is not None:
        return _restore_text(runtime, older.memory, current, proof)
    changes = [_unconfirm_change(runtime, current, memory, proof)]
    if before.feedback is not None:
        # Confirming the memory has withdrawn it.
        changes.append(runtime.change(ChangeKind.FEEDBACK, memory, {"says": before.feedback.value}))
    runtime.write(changes)
    return current


def _restore_text(runtime: Runtime, note: Memory, edited: Stored, proof: dict[str, object]) -> Stored:
    """Give an edited note its earlier text again, and make it an unconfirmed note."""
    # The journal is append-only, so this is another correction.
    door = runtime.admission(where=_choose_where(runtime, note))
    again = replace(draft_again(note, origin=note.origin), tier=Tier.NOTED, created_at=note.created_at)
    again = replace(again, session=note.session, conversation=note.conversation, source=note.source)
    outcome = door.admit(again, correcting=edited, returning=True)
    if not isinstance(outcome, Admitted):
        raise Refused(outcome.reason if isinstance(outcome, Rejected) else f"{outcome.memory.id} has the same words")
    restored = runtime.signer.judge(Stored(memory=outcome.memory))
    runtime.write([*door.changes, _unconfirm_change(runtime, restored, note, proof)])
    return restored


def _unconfirm_change(runtime: Runtime, stored: Stored, note: Memory, proof: dict[str, object]) -> Change:
    """Return the change that makes a kept memory an unconfirmed note again, with the confidence of `note`."""
    memory = replace(stored.memory, confirmed=False)
    payload = {"confirmed": False, "confidence": note.confidence, **runtime.signer.sign_again(stored, memory), **proof}
    return runtime.change(ChangeKind.NOTE, memory, payload)


def _choose_where(runtime: Runtime, memory: Memory) -> Where:
    """Return the project, branch and session to record with a correction of a note.

    If the note belongs to another project, the branch and commit of this folder are left out.
    """
    where = runtime.where()
    if memory.project in (None, where.project):
        return where
    return Where(agent=memory.agent, project=memory.project, session=where.session)


def _find_told(runtime: Runtime) -> set[tuple[str, str]]:
    """Return the ids of the memories that the next session start tells, each with the note beside it."""
    found = preview_start(runtime.context())
    receipt = found.receipt if found is not None else None
    return {(id, receipt.notes.get(id, "")) for id in receipt.ids} if receipt is not None else set()
