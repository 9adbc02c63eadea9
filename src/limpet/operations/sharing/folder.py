"""Compare the shared folder of a project with the journal, and bring both up to date.

The journal is the truth and the files are a view of it, but people and git change the files. Both sides are compared
with what was last seen: a file that changed comes in as a draft with the origin `file`, through the one door; a memory
that changed is written to its file. If both changed, both texts are kept and linked. If a file was deleted, its memory
is forgotten, unless only another branch was checked out. Each text is written to one checkout only, the one that is
synced first, and travels from there by git; otherwise the same file would be added on several branches.

Each step can be interrupted: the journal is written first, and a file that says what the journal says is in order,
whatever the ledger remembers.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator

from limpet import clock, system
from limpet.errors import LimpetError, Refused
from limpet.mirror.folder import SharedFolder
from limpet.mirror.ledger import MirrorLedger, list_ledgers, load_ledger, save_ledger
from limpet.operations.project_folder import find_root
from limpet.operations.sharing.choice import find_unconfirmed
from limpet.operations.sharing.deletion import forget_deleted
from limpet.operations.sharing.intake import recover, take_in
from limpet.operations.sharing.output import write_out
from limpet.operations.sharing.state import FilesAnswer, SharingState
from limpet.runtime import Runtime
from limpet.text.plural import plural

LOCK = "mirror.lock"
WAIT_MS = 10_000
_BUSY = "another process is comparing the shared files; nothing was changed here"


def find_shared_folder(runtime: Runtime) -> SharedFolder | None:
    """Return the place of the shared folder of this project; None if it cannot have one."""
    root = find_root(runtime)
    if root is None or runtime.project is None or runtime.claimed_project:
        return None
    return SharedFolder(root)


def require_shared_folder(runtime: Runtime) -> SharedFolder:
    """Return the place of the shared folder of this project; raise Refused if it cannot have one."""
    runtime.scope()  # refuses a folder whose claim is not accepted
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
) -> FilesAnswer:
    """Bring the folder and the journal up to date, and return what was done.

    Without `is_writing` only the journal is changed. `agreed` means that a person wants the memories of all deleted
    files forgotten, however many they are.
    """
    answer = FilesAnswer(folder=folder.path)
    folder.refuse_links()
    with _lock(runtime, wait_ms) as is_held:
        if not is_held:
            answer.notes.append(_BUSY)
            answer.is_complete = False
            return answer
        state = SharingState(runtime, folder, answer, budget_ms=budget_ms)
        _run(state, is_writing=is_writing, agreed=agreed)
    return answer


def take_in_at_start(runtime: Runtime, *, budget_ms: int) -> str:
    """Process changed files for a short time; return a sentence for the model if new ones wait for approval.

    Nothing is written to the folder, and no failure reaches the host.
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


def tend_files(runtime: Runtime) -> None:
    """Bring the shared files and the memories up to date, when nobody waits."""
    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return
    try:
        sync_folder(runtime, folder, wait_ms=0)
    except LimpetError as error:
        runtime.log(f"shared files: {error}")


def _run(state: SharingState, *, is_writing: bool, agreed: bool) -> None:
    """Compare everything; the journal is written before the files, and the ledger last."""
    runtime, answer = state.runtime, state.answer
    if not state.scan():
        return
    try:
        if is_writing:
            recover(state)
        take_in(state)
        forget_deleted(state, agreed=agreed, is_hurried=not is_writing)
        if is_writing and state.ledger.is_shared:
            write_out(state)
        if answer.is_complete:
            state.tree.head = state.position
    finally:
        save_ledger(runtime.settings.home, state.project, state.ledger)
    answer.waiting = len(find_unconfirmed(runtime))


@contextlib.contextmanager
def change_ledger(runtime: Runtime) -> Iterator[MirrorLedger]:
    """Yield the ledger of this project and save it at the end; no other process compares the files meanwhile."""
    with _hold(runtime):
        ledger = read_ledger(runtime)
        yield ledger
        assert runtime.project is not None
        save_ledger(runtime.settings.home, runtime.project.id, ledger)


def read_ledger(runtime: Runtime) -> MirrorLedger:
    """Return the ledger of this project."""
    assert runtime.project is not None
    return load_ledger(runtime.settings.home, runtime.project.id)


@contextlib.contextmanager
def _hold(runtime: Runtime) -> Iterator[None]:
    """Keep other processes from comparing the shared files."""
    with _lock(runtime, WAIT_MS) as is_held:
        if not is_held:
            raise Refused(f"{_BUSY}; try again")
        yield


def _lock(runtime: Runtime, wait_ms: int) -> system.lock:
    path = os.path.join(runtime.settings.home, "locks", LOCK)
    return system.lock(path, clock.attempts(wait_ms), doing="compare the shared files")


def purge_files(runtime: Runtime, ids: Collection[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Erase the shared files of memories in every folder on this machine, and let none of them come back.

    Return the erased files, and those that could not be erased with the reason.
    """
    home = runtime.settings.home
    erased: list[str] = []
    failed: list[tuple[str, str]] = []
    with _hold(runtime):
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
