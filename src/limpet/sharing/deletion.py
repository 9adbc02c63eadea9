"""Forget the memories whose shared files were deleted, but not those whose files are only missing on this branch."""

from __future__ import annotations

from collections import Counter

from limpet.curating.forgetting import forget
from limpet.errors import StoreError
from limpet.model.memory import Memory
from limpet.sharing.ledger import LedgerEntry
from limpet.sharing.state import SharingState, find_live, is_confirmed


def forget_deleted(state: SharingState, *, agreed: bool, all_agreed: bool) -> None:
    """Forget the memories of deleted files.

    The deletion of a confirmed memory is only proposed, until a person has `agreed` to the proposals. If too many files
    were deleted, nothing is forgotten, unless a person has agreed to that (`all_agreed`).
    """
    here = [name for name, entry in state.tree.files.items() if entry.is_here]
    files = Counter(_find_root_id(state, state.tree.files[name]) for name in here)
    gone = [name for name in here if name not in state.present and name not in state.archived]
    if agreed:
        # The person was asked about these, and not about files that may be missing since.
        for name in [name for name in gone if state.tree.proposed.pop(name, None) == ""]:
            _forget(state, name, files)
            here.remove(name)
            gone.remove(name)
    for name in state.tree.proposed.keys() - state.present.keys() - set(gone):
        del state.tree.proposed[name]
    if not gone:
        state.tree.doubted = []
    if not gone or not state.answer.is_complete:
        return
    if state.is_git_at_work(gone):
        # The files may be missing in the commit that git is checking out.
        state.answer.notes.append(f"git is changing the files; the {len(gone)} that are gone are looked at next time")
        state.answer.is_complete = False
        return
    if state.until is not None and not state.is_same_position:
        # Only the history shows whether they were deleted, and reading all of it takes too long at the start of a
        # session. So nothing is forgotten now, and only what a person has confirmed is looked for.
        for name in gone:
            if any(map(is_confirmed, _find_lost(state, name, files) or ())) and _was_deleted(state, name):
                state.tree.proposed[name] = ""
        state.answer.is_complete = False
        return
    deleted = [name for name in gone if _was_deleted(state, name)]
    is_most = len(deleted) > 1 and 2 * len(deleted) > len(here)
    is_many = len(here) >= 10 and len(deleted) > state.runtime.settings.store.retire_share * len(here)
    # The other files may have become more since, or fewer.
    is_doubted = not set(deleted).isdisjoint(state.tree.doubted)
    state.tree.doubted = []
    if (is_most or is_many or is_doubted) and not all_agreed:
        state.tree.doubted = deleted
        for name in deleted:
            state.tree.proposed.pop(name, None)
        state.answer.notes.append(
            f"{len(deleted)} of {len(here)} files are gone; nothing was forgotten, "
            "and if they were deleted on purpose: limpet sync --deleted"
        )
        state.answer.is_complete = False
        return
    for name in gone:
        state.tree.proposed.pop(name, None)
        if name not in deleted:
            state.tree.files[name].is_here = False
        elif not all_agreed and any(map(is_confirmed, _find_lost(state, name, files) or ())):
            state.tree.proposed[name] = ""
        else:
            _forget(state, name, files)


def _was_deleted(state: SharingState, name: str) -> bool:
    """Tell whether a missing file was deleted. If not, it was never added to the branch that is checked out."""
    return state.is_same_position or bool(state.find_former(name))


def _find_lost(state: SharingState, name: str, files: Counter[str]) -> list[Memory] | None:
    """Return the live versions of the memory of a deleted file.

    Return None if no memory is lost with the file, because one of the other `files` belongs to the same memory.
    """
    entry = state.tree.files[name]
    stored = state.reading.get(entry.memory) if entry.memory else None
    if stored is None or not state.may_have_file(stored.memory) or files[stored.memory.root] > 1:
        return None
    live = [each.memory for each in find_live(state.load_versions(entry.memory))]
    return [each for each in live if each.id == entry.memory] or live


def _forget(state: SharingState, name: str, files: Counter[str]) -> None:
    """Forget the memory of a deleted file, unless one of the other `files` belongs to the same memory."""
    entry = state.tree.files[name]
    memories = _find_lost(state, name, files)
    if memories is None:
        files[_find_root_id(state, entry)] -= 1
        del state.tree.files[name]
        return
    ids = [each.id for each in memories]
    try:
        if ids:
            is_hurried = state.until is not None
            forget(state.runtime, ids=ids, reason="its file was deleted", is_hurried=is_hurried)
    except StoreError as error:
        state.answer.notes.append(str(error))
        state.answer.is_complete = False
        return
    state.reading = state.runtime.reading()
    state.answer.forgotten += ids
    entry.is_here, entry.is_forgotten, entry.refused = False, True, ""
    if any(map(is_confirmed, memories)):
        # What a person has agreed to forget does not come back with its file.
        del state.tree.files[name]


def _find_root_id(state: SharingState, entry: LedgerEntry) -> str:
    stored = state.reading.get(entry.memory) if entry.memory else None
    return stored.memory.root if stored else ""
