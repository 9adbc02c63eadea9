"""Restore a memory that was forgotten, merged, corrected, expired or shortened."""

from __future__ import annotations

from datetime import datetime

from limpet.curating.versions import draft_again, find_newest_version, separate_from_summary
from limpet.doors.replaced import replace_again, supersede_same_text
from limpet.errors import Refused
from limpet.lean.record import record, replace
from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Phase, Region
from limpet.model.outcome import Admitted, Rejected
from limpet.model.query import Stored
from limpet.model.receipt import Receipt
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_person, require_visible
from limpet.text.tokens import count_tokens
from limpet.upkeep.relocation import was_relocated


@record
class RestoreAnswer:
    """The restored memory, and a sentence for the user about what was undone."""

    stored: Stored
    how: str


def restore(
    runtime: Runtime, *, id: str, archive: bool = False, code: str | None = None, all_projects: bool = False
) -> RestoreAnswer:
    """Undo the first of these that applies to a memory: a merge, a forget, a correction, an expiry, a shortened text.

    If `archive` is set, undo only what upkeep has done; raise Refused if the memory was forgotten or corrected on
    purpose.
    """
    merged = find_visible(runtime, id, every_project=all_projects)
    stored = separate_from_summary(runtime, merged)
    if stored.status is Status.LIVE and merged.status is Status.SUPERSEDED:
        _note_access(runtime, stored)
        return RestoreAnswer(stored=stored, how="it is a memory by itself again, as are those that were merged with it")
    newest, _ = find_newest_version(runtime, stored)
    require_visible(runtime, newest)
    if archive:
        _refuse_unless_archived(stored, newest, runtime.now())
    if Status.FORGOTTEN in (stored.status, newest.status):
        return _undo_forget(runtime, stored, newest, code)
    if stored.status is Status.SUPERSEDED:
        restored = _return_to_version(runtime, stored, newest)
        return RestoreAnswer(stored=restored, how=f"the text of {stored.memory.id} is the newest version again")
    if stored.memory.is_expired(runtime.now()):
        restored = _return_to_version(runtime, stored, newest)
        return RestoreAnswer(stored=restored, how="it had expired; its text is back and no longer expires")
    if stored.memory.phase is not Phase.FULL:
        memory, text = stored.memory, stored.memory.original_content
        full = replace(memory, content=text, phase=Phase.FULL, token_count=count_tokens(text))
        payload: dict[str, object] = {"content": text, "phase": int(Phase.FULL), "token_count": full.token_count}
        payload |= runtime.signer.sign_again(stored, full)
        runtime.write([runtime.change(ChangeKind.CONDENSE, memory, payload)])
        _note_access(runtime, stored)
        return RestoreAnswer(stored=runtime.reload(stored), how="its text is back in full")
    if stored.memory.region is Region.PROJECT and was_relocated(runtime.reading(), stored.memory.id):
        # Upkeep has moved a memory that was visible in all projects into one.
        return _undo_move(runtime, stored)
    return RestoreAnswer(stored=stored, how="there was nothing to restore")


def _note_access(runtime: Runtime, stored: Stored) -> None:
    """Record an access, without which the memory would fade again in the next round of upkeep."""
    runtime.note(Receipt(id="", way="restore", ids=(stored.memory.id,), session=runtime.session, counts=True))


def _refuse_unless_archived(stored: Stored, newest: Stored, now: datetime) -> None:
    id = stored.memory.id
    if Status.FORGOTTEN in (stored.status, newest.status):
        raise Refused(f"{id} was forgotten, not archived; to undo that: limpet restore {id}")
    if stored.status is Status.SUPERSEDED:
        raise Refused(f"{id} was corrected, not archived; to go back to its text: limpet restore {id}")
    if stored.memory.phase is Phase.FULL and not stored.memory.is_expired(now):
        raise Refused(f"{id} is not archived, its text is complete; to list archived memories: limpet list --phase 3")


def _undo_forget(runtime: Runtime, stored: Stored, newest: Stored, code: str | None) -> RestoreAnswer:
    proof = require_person(runtime, "restore", code=code, doing="bring back what was forgotten")
    hidden = stored if stored.status is Status.FORGOTTEN else newest
    twins, says = supersede_same_text(runtime.reading(), hidden.memory, now=runtime.now(), actor=runtime.actor)
    loses = any(each.subject == hidden.memory.id for each in twins)
    again = [] if loses else replace_again(runtime.reading(), hidden.memory, actor=runtime.actor)
    runtime.write([runtime.change(ChangeKind.RESTORE, hidden.memory, proof), *again, *twins])
    stored = runtime.reload(stored)
    how = f"no longer forgotten{says}"
    if loses:
        return RestoreAnswer(stored=stored, how=how)
    if again:
        how += f"; it replaces {', '.join(each.subject for each in again)} again"
    if stored.status is Status.SUPERSEDED:
        newest, _ = find_newest_version(runtime, stored)
        how += f"; it was corrected before, and its newest version is {newest.memory.id}"
    return RestoreAnswer(stored=stored, how=how)


def _undo_move(runtime: Runtime, stored: Stored) -> RestoreAnswer:
    if runtime.caller.is_agent:
        raise Refused("only a person can let every project see a memory; ask the user to run this in a terminal")
    there = replace(stored.memory, region=Region.AGENT, project=None)
    payload: dict[str, object] = {"region": Region.AGENT.value, **runtime.signer.sign_again(stored, there)}
    runtime.write([runtime.change(ChangeKind.MOVE, stored.memory, payload)])
    return RestoreAnswer(stored=runtime.reload(stored), how="every project sees it again")


def _return_to_version(runtime: Runtime, stored: Stored, newest: Stored) -> Stored:
    """Store the text of an older version as the newest version, and return it."""
    # The journal is append-only, so this is another correction.
    old = stored.memory
    door = runtime.admission()
    draft = draft_again(old, origin=min((old.origin, runtime.caller.origin), key=lambda origin: origin.ceiling))
    outcome = door.admit(draft, correcting=newest, returning=True)
    runtime.write(door.changes)
    if not isinstance(outcome, Admitted):
        raise Refused(outcome.reason if isinstance(outcome, Rejected) else "the newest version says the same already")
    return runtime.reload(Stored(memory=outcome.memory))
