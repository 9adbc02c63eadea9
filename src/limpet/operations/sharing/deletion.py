"""Forget the memories whose shared files were deleted, but not those whose files are only missing on this branch."""

from __future__ import annotations

from collections import Counter

from limpet.errors import StoreError
from limpet.mirror.ledger import LedgerEntry
from limpet.operations import forget
from limpet.operations.sharing.state import SharingState, find_live


def forget_deleted(state: SharingState, *, agreed: bool, is_hurried: bool) -> None:
    """Forget the memories of deleted files. If too many files were deleted, do so only if `agreed`: a person consents.

    `is_hurried` is set at the start of a session, when there is no time to read the history of the repository.
    """
    here = [name for name, entry in state.tree.files.items() if entry.is_here]
    gone = [name for name in here if name not in state.present and name not in state.archived]
    if not gone:
        state.tree.doubted = []
    if not gone or not state.answer.is_complete:
        return
    if state.is_git_at_work(gone):
        # The files may be missing in the commit that git is checking out.
        state.answer.notes.append(f"git is changing the files; the {len(gone)} that are gone are looked at next time")
        state.answer.is_complete = False
        return
    if is_hurried and not state.is_same_position:
        # Only the history shows whether they were deleted, and reading it takes too long at the start of a session.
        state.answer.is_complete = False
        return
    deleted = [name for name in gone if _was_deleted(state, name)]
    is_most = len(deleted) > 1 and 2 * len(deleted) > len(here)
    is_many = len(here) >= 10 and len(deleted) > state.runtime.settings.store.retire_share * len(here)
    # The other files may have become more since, or fewer.
    is_doubted = not set(deleted).isdisjoint(state.tree.doubted)
    state.tree.doubted = []
    if (is_most or is_many or is_doubted) and not agreed:
        state.tree.doubted = deleted
        state.answer.notes.append(
            f"{len(deleted)} of {len(here)} files are gone; nothing was forgotten, "
            "and if they were deleted on purpose: limpet sync --deleted"
        )
        state.answer.is_complete = False
        return
    files = Counter(_find_root_id(state, state.tree.files[name]) for name in here)
    for name in gone:
        if name in deleted:
            _forget(state, name, files, is_hurried=is_hurried)
        else:
            state.tree.files[name].is_here = False


def _was_deleted(state: SharingState, name: str) -> bool:
    """Tell whether a missing file was deleted. If not, it was never added to the branch that is checked out."""
    return state.is_same_position or bool(state.find_former(name))


def _forget(state: SharingState, name: str, files: Counter[str], *, is_hurried: bool) -> None:
    """Forget the memory of a deleted file, unless one of the other `files` belongs to the same memory."""
    entry = state.tree.files[name]
    stored = state.reading.get(entry.memory) if entry.memory else None
    if stored is None or not state.may_have_file(stored.memory) or files[stored.memory.root] > 1:
        files[_find_root_id(state, entry)] -= 1
        del state.tree.files[name]
        return
    live = [each.memory.id for each in find_live(state.load_versions(entry.memory))]
    ids = [entry.memory] if entry.memory in live else live
    try:
        if ids:
            forget.run(state.runtime, ids=ids, reason="its file was deleted", is_hurried=is_hurried)
    except StoreError as error:
        state.answer.notes.append(str(error))
        state.answer.is_complete = False
        return
    state.reading = state.runtime.reading()
    state.answer.forgotten += ids
    entry.is_here, entry.is_forgotten, entry.refused = False, True, ""


def _find_root_id(state: SharingState, entry: LedgerEntry) -> str:
    stored = state.reading.get(entry.memory) if entry.memory else None
    return stored.memory.root if stored else ""
