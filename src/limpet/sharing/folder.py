"""Sync the shared folder of a project, in which its memories are files, with the journal.

People and git change the files, and Limpet changes the memories. The ledger, a file in Limpet's home, records the files
as they were last seen, so that a change on either side is noticed. A changed file is admitted as a memory with the
origin `file`. A changed memory is written to its file. If both have changed, both texts are kept and linked. If a file
was deleted, its memory is forgotten, unless another branch was checked out that never had the file.

A project may be checked out in several folders. Each text is written to only one of them, the first to be synced, and
git takes it to the others; otherwise the same file would be added on several branches.

A sync can be interrupted at any time: the journal is written first, and a file that agrees with the journal needs no
work, even if the ledger is outdated.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator

from limpet import clock, system
from limpet.errors import LimpetError, Refused
from limpet.runtime import Runtime
from limpet.runtime.project_folder import find_root
from limpet.sharing.choice import find_unconfirmed
from limpet.sharing.deletion import forget_deleted
from limpet.sharing.intake import admit_files, recover_leftovers
from limpet.sharing.ledger import MirrorLedger, list_ledgers, load_ledger, save_ledger
from limpet.sharing.output import write_files
from limpet.sharing.shared_folder import SharedFolder
from limpet.sharing.state import FilesAnswer, SharingState
from limpet.text.plural import plural

LOCK = "mirror.lock"
WAIT_MS = 10_000
_BUSY = "another process is comparing the shared files; nothing was changed here"


def find_shared_folder(runtime: Runtime) -> SharedFolder | None:
    """Return the shared folder of this project, which need not exist; None if the project cannot have one."""
    root = find_root(runtime)
    if root is None or runtime.project is None or runtime.claimed_project:
        return None
    return SharedFolder(root)


def require_shared_folder(runtime: Runtime) -> SharedFolder:
    """Return the shared folder of this project, which need not exist; raise Refused if it cannot have one."""
    # Raises an error if this folder claims to be a known project without proof.
    runtime.scope()
    folder = find_shared_folder(runtime)
    if folder is None:
        raise Refused("memories are shared in the folder of a project; go there, and leave out --project")
    return folder


def sync_folder(
    runtime: Runtime,
    folder: SharedFolder,
    *,
    is_writing: bool = True,
    budget_ms: int | None = None,
    wait_ms: int = WAIT_MS,
    agreed: bool = False,
    all_agreed: bool = False,
) -> FilesAnswer:
    """Sync the folder with the journal, and return what was changed.

    If `is_writing` is False, no shared file is changed. After `budget_ms` milliseconds, the remaining files are left
    for the next sync. If another process holds the lock for longer than `wait_ms`, nothing is changed. `agreed` means
    that a person agrees to what earlier syncs have proposed, and `all_agreed` that a person wants the memories of all
    deleted files to be forgotten, however many they are.
    """
    answer = FilesAnswer(folder=folder.path)
    folder.refuse_links()
    with _lock(runtime, wait_ms) as is_held:
        if not is_held:
            answer.notes.append(_BUSY)
            answer.is_complete = False
            return answer
        state = SharingState(runtime, folder, answer, budget_ms=budget_ms)
        _run_sync(state, is_writing=is_writing, agreed=agreed, all_agreed=all_agreed)
    return answer


def take_in_at_start(runtime: Runtime, *, budget_ms: int) -> str:
    """Admit changed files at the start of a session, without writing to the folder.

    Return a sentence for the model if the user has to confirm new memories, otherwise an empty string. Errors are
    logged and not raised, because they must not disturb the host.
    """
    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return ""
    try:
        answer = sync_folder(runtime, folder, is_writing=False, budget_ms=budget_ms, wait_ms=0)
    except LimpetError as error:
        runtime.log(f"shared files: {error}")
        return ""
    count = len(answer.taken) + len(answer.edited) + len(answer.both)
    if not count:
        return ""
    changed = plural(count, "memory")
    return (
        f"Limpet: {changed} came with the files of this repository; they are told only when asked for "
        "until the user runs `limpet confirm --project`."
    )


def keep_confirmed(runtime: Runtime, ids: Collection[str]) -> None:
    """Withdraw what the shared files propose for these memories, because a person has confirmed them again."""
    folder = find_shared_folder(runtime)
    if folder is None or not read_ledger(runtime).get_checkout(folder.root).proposed:
        return
    with change_ledger(runtime) as ledger:
        tree = ledger.get_checkout(folder.root)
        for name, digest in list(tree.proposed.items()):
            entry = tree.files[name]
            if {each.memory.id for each in runtime.reading().versions(entry.memory)}.isdisjoint(ids):
                continue
            del tree.proposed[name]
            # The file counts as seen in its present state, so only another change is proposed again.
            entry.hash, entry.is_here = digest or entry.hash, bool(digest)


def tend_files(runtime: Runtime) -> None:
    """Sync the shared files of this project in the background; errors are logged and not raised."""
    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return
    try:
        sync_folder(runtime, folder, wait_ms=0)
    except LimpetError as error:
        runtime.log(f"shared files: {error}")


def _run_sync(state: SharingState, *, is_writing: bool, agreed: bool, all_agreed: bool) -> None:
    """Run the steps of a sync in order: the journal is written before the files, and the ledger last."""
    runtime, answer = state.runtime, state.answer
    if not state.scan():
        return
    try:
        if is_writing:
            recover_leftovers(state)
        admit_files(state, agreed=agreed)
        forget_deleted(state, agreed=agreed, all_agreed=all_agreed)
        if is_writing and state.ledger.is_shared:
            write_files(state)
        if answer.is_complete:
            state.tree.head = state.position
    finally:
        save_ledger(runtime.settings.home, state.project, state.ledger)
    answer.proposed = sorted(state.tree.proposed)
    answer.waiting = len(find_unconfirmed(runtime))


@contextlib.contextmanager
def change_ledger(runtime: Runtime) -> Iterator[MirrorLedger]:
    """Yield the ledger of this project while the lock for the shared files is held; save the ledger afterwards."""
    with _require_lock(runtime):
        ledger = read_ledger(runtime)
        yield ledger
        assert runtime.project is not None
        save_ledger(runtime.settings.home, runtime.project.id, ledger)


def read_ledger(runtime: Runtime) -> MirrorLedger:
    """Return the ledger of this project, which records its shared files as they were last seen."""
    assert runtime.project is not None
    return load_ledger(runtime.settings.home, runtime.project.id)


@contextlib.contextmanager
def _require_lock(runtime: Runtime) -> Iterator[None]:
    """Hold the lock for the shared files; raise Refused if another process does not release it in time."""
    with _lock(runtime, WAIT_MS) as is_held:
        if not is_held:
            raise Refused(f"{_BUSY}; try again")
        yield


def _lock(runtime: Runtime, wait_ms: int) -> system.lock:
    path = os.path.join(runtime.settings.home, "locks", LOCK)
    return system.lock(path, clock.attempts(wait_ms), doing="compare the shared files")


def purge_files(runtime: Runtime, ids: Collection[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Erase the shared files of these memories in all project folders on this machine.

    The names are recorded, so that the files are not read if git brings them back. Return the paths of the erased
    files, and the paths of those that could not be erased, with the reasons.
    """
    home = runtime.settings.home
    erased: list[str] = []
    failed: list[tuple[str, str]] = []
    with _require_lock(runtime):
        for project in list_ledgers(home):
            ledger = load_ledger(home, project)
            for root, tree in ledger.trees.items():
                names = [name for name, entry in tree.files.items() if entry.memory in ids]
                if names:
                    gone, left = SharedFolder(root).erase(names)
                    erased += gone
                    failed += left
                    ledger.purged += names
                for name in names:
                    del tree.files[name]
            save_ledger(home, project, ledger)
    return erased, failed
