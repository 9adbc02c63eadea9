"""Remove the shared files of this project. The memories stay."""

from __future__ import annotations

import contextlib

from limpet.errors import Refused
from limpet.lean.record import pick, record
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE, YES
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.sharing.folder import change_ledger, read_ledger, require_shared_folder, sync_folder
from limpet.sharing.shared_folder import ARCHIVES, MEMORIES


@record
class UnshareAnswer:
    """The files that were removed, or that would be in a dry run (`is_done` is False)."""

    folder: str
    files: tuple[str, ...]
    left: tuple[str, ...] = ()
    """The files that are still in the folder, because they were edited or Limpet did not write them."""
    is_done: bool = False


def run(runtime: Runtime, *, dry_run: bool = False, yes: bool = False, code: str | None = None) -> UnshareAnswer:
    folder = require_shared_folder(runtime)
    if not folder.exists():
        raise Refused("this project shares no memories in files; there is nothing to remove")
    folder.refuse_links()
    if dry_run:
        files = read_ledger(runtime).get_checkout(folder.root).files
        # A file without a memory was refused, so it stays.
        written = sorted(name for name, entry in files.items() if entry.is_here and entry.memory)
        return UnshareAnswer(folder=folder.path, files=tuple(written))
    require_person(runtime, "unshare", code=code, doing="remove the shared files")
    # The last edits of the files must be stored as memories before the files are removed.
    if not sync_folder(runtime, folder).is_complete:
        raise Refused("the files could not be compared with the memories; nothing was removed, see: limpet sync")
    with change_ledger(runtime) as ledger:
        removed = []
        for name, entry in sorted(ledger.get_checkout(folder.root).files.items()):
            for place in (MEMORIES, ARCHIVES):
                with contextlib.suppress(OSError):
                    if entry.is_here and entry.memory and folder.delete(name, expected=entry.hash, folder=place):
                        removed.append(name)
        ledger.is_shared = False
        ledger.trees.pop(folder.root, None)
        ledger.sent.clear()
    left = folder.remove()
    return UnshareAnswer(folder=folder.path, files=tuple(removed), left=tuple(left), is_done=True)


VERB = Verb(
    run=run,
    shape=lambda answer: {"removed": answer.is_done, **pick(answer, "folder", "files", "left")},
    params=(
        Param(name="dry_run", help="Only list what would be removed.", kind="flag"),
        YES,
        CODE,
    ),
    details=(
        "Reads the last edits of the files, then removes the files that Limpet wrote to .claude/ltm/. No memory is "
        "forgotten, here or where others have cloned the project. A file that could not be read stays."
    ),
    examples=("limpet unshare --dry-run", "limpet unshare"),
)
