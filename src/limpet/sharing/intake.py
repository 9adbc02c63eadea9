"""Admit new and changed shared files as memories: the direction of a sync from the files to the journal."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from limpet import clock
from limpet.curating.writing import write_admitted
from limpet.errors import Unreadable, describe_error
from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Memory
from limpet.model.outcome import Admitted, Rejected
from limpet.model.query import Stored
from limpet.model.taint import Taint
from limpet.sharing.document import decode_document, propose_draft
from limpet.sharing.ledger import LedgerEntry
from limpet.sharing.shared_folder import SUFFIX, Stamp, hash_content
from limpet.sharing.state import (
    SeenFile,
    SharingState,
    find_agreeing,
    find_live,
    is_confirmed,
    now_ns,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.admit import Admission

ACTOR = "files"
"""The actor of the changes that come from shared files."""


def recover_leftovers(state: SharingState) -> None:
    """Remove the files that a killed process has left, but put a file back if it has text that the journal lacks.

    The leftovers are half-written files, and originals that were set aside while a new version was written.
    """
    aside, unfinished = state.folder.find_leftovers()
    for path in unfinished:
        with contextlib.suppress(OSError):
            os.unlink(path)
    for name, path in aside:
        with contextlib.suppress(OSError):
            if _is_in_journal(state, name, path):
                os.unlink(path)
            else:
                os.replace(path, _choose_path(state, name, path))
    if aside:
        state.scan()


def _is_in_journal(state: SharingState, name: str, path: str) -> bool:
    """Tell whether a file is unchanged since it was last seen, or contains the text of a version of its memory."""
    with open(path, "rb") as file:
        data = file.read()
    entry = state.tree.files.get(name)
    if entry is not None and entry.hash == hash_content(data):
        return True
    try:
        document = decode_document(data)
    except Unreadable:
        return False
    return bool(find_agreeing(document, state.find_versions(name, document, entry)))


def _choose_path(state: SharingState, name: str, path: str) -> str:
    """Return the path to which a file that was set aside is moved back.

    This is its former path or, if an edited file is there, another one.
    """
    place = state.folder.file_path(name)
    if os.path.lexists(place) and not _is_in_journal(state, name, place):
        return state.folder.file_path(f"{name}-{hash_content(path.encode())[:8]}")
    return place


def admit_files(state: SharingState, *, agreed: bool) -> None:
    """Compare every changed file with its memory, and write the new memories and versions to the journal.

    An edit of a confirmed memory is only proposed, until a person has `agreed` to the proposals.
    """
    door = state.runtime.admission(reading=state.reading, actor=ACTOR, taint=Taint)
    for name, stamp in state.present.items():
        entry = state.tree.files.get(name)
        if entry is not None and entry.is_unchanged(stamp) and name not in state.tree.proposed:
            _repeat_refusal(state, name, entry)
            continue
        if state.until is not None and clock.now_ms() >= state.until:
            state.answer.is_complete = False
            break
        file = _read_if_changed(state, name, stamp, entry)
        if file is not None:
            is_agreed = state.tree.proposed.pop(name, None) == file.hash and agreed
            _admit_difference(state, file, entry, door, agreed=is_agreed)
    write_admitted(state.runtime, [*door.changes, *state.links], state.admitted)
    state.reading = state.runtime.reading()


def _repeat_refusal(state: SharingState, name: str, entry: LedgerEntry) -> None:
    if entry.refused:
        state.answer.refused[f"{name}{SUFFIX}"] = entry.refused


def _read_if_changed(state: SharingState, name: str, stamp: Stamp, entry: LedgerEntry | None) -> SeenFile | None:
    """Read a file that may have changed since it was last seen; return None if it is unchanged or refused."""
    if name in state.ledger.purged:
        state.refuse(name, "", stamp, "its memory was purged here; delete the file")
        return None
    digest = ""
    try:
        data = state.folder.read(name)
        digest = hash_content(data)
        if entry is not None and entry.hash == digest and entry.is_here and _is_settled(state, entry):
            state.tree.proposed.pop(name, None)
            entry.record_stamp(stamp, now_ns=now_ns())
            _repeat_refusal(state, name, entry)
            return None
        return SeenFile(name=name, hash=digest, stamp=stamp, document=decode_document(data))
    except Unreadable as error:
        state.refuse(name, digest, stamp, str(error))
    except FileNotFoundError:
        # The file was removed after it was listed. The next sync will notice that.
        state.answer.is_complete = False
    except OSError as error:
        state.answer.refused[f"{name}{SUFFIX}"] = f"it cannot be read: {describe_error(error)}"
    return None


def _is_settled(state: SharingState, entry: LedgerEntry) -> bool:
    """Tell whether an unchanged file needs no work, because it is refused or the journal still has its memory."""
    return bool(entry.refused) or state.reading.get(entry.memory) is not None


def _admit_difference(
    state: SharingState, file: SeenFile, entry: LedgerEntry | None, door: Admission, *, agreed: bool
) -> None:
    """Compare a changed file with the versions of its memory, and admit its text if it is new."""
    versions = state.find_versions(file.name, file.document, entry)
    is_restorable = entry is not None and entry.is_forgotten and not any(is_confirmed(each.memory) for each in versions)
    if versions and not find_live(versions) and is_restorable:
        versions = _restore_forgotten(state, versions)
    live = find_live(versions)
    same = find_live(find_agreeing(file.document, versions))
    if same:
        state.see(file, same[-1].memory)
    elif not live:
        _admit(state, file, None, door)
    elif state.until is not None and not state.is_same_position and find_agreeing(file.document, versions):
        # Only the history shows whether somebody went back to an older text, and reading it takes too long now.
        state.answer.is_complete = False
    elif _is_behind(state, file, versions, entry):
        state.see(file, live[-1].memory)
    else:
        base = next((each for each in versions if entry is not None and each.memory.id == entry.memory), live[-1])
        if base.status is Status.LIVE and is_confirmed(base.memory) and not agreed:
            state.propose(file, base.memory)
            return
        made = _admit(state, file, base, door)
        if made is not None and base.status is not Status.LIVE:
            _link_versions(state, made, live[-1].memory)


def _link_versions(state: SharingState, memory: Memory, other: Memory) -> None:
    """Link two live versions of a memory to each other.

    Both are live because the file and the memory had both changed.
    """
    state.answer.edited.remove(memory.id)
    state.answer.both.append(memory.id)
    for one, another in ((memory, other), (other, memory)):
        payload: dict[str, object] = {"relation": "concurrent", "to": another.id}
        state.links.append(state.runtime.change(ChangeKind.LINK, one, payload))


def _restore_forgotten(state: SharingState, versions: Sequence[Stored]) -> list[Stored]:
    """Restore a memory that was forgotten because its file was deleted, and return its versions."""
    newest = versions[-1].memory
    state.runtime.write([state.runtime.change(ChangeKind.RESTORE, newest, {"reason": "its file is back"})])
    state.reading = state.runtime.reading()
    state.answer.restored.append(newest.id)
    return state.load_versions(newest.id)


def _is_behind(state: SharingState, file: SeenFile, versions: Sequence[Stored], entry: LedgerEntry | None) -> bool:
    """Tell whether a file has an older text of its memory only because an older commit or branch is checked out."""
    if not find_agreeing(file.document, versions):
        return False
    if entry is None:
        return True
    if state.is_same_position:
        return False
    # If this branch once had the newer text too, somebody went back to the older one on purpose.
    return entry.hash not in state.find_former(file.name)


def _admit(state: SharingState, file: SeenFile, older: Stored | None, door: Admission) -> Memory | None:
    """Admit the text of a file as a correction of `older` or, if that is None, as a new memory.

    Return the memory that was added, or None if none was added.
    """
    path = state.folder.relative_path(file.name)
    draft = propose_draft(file.document, path=path, older=older.memory if older else None)
    outcome = door.admit(draft, correcting=older)
    state.admitted.append(outcome)
    if isinstance(outcome, Rejected):
        state.refuse(file.name, file.hash, file.stamp, outcome.reason)
        return None
    state.see(file, outcome.memory)
    if not isinstance(outcome, Admitted):
        return None
    (state.answer.edited if older else state.answer.taken).append(outcome.memory.id)
    return outcome.memory
