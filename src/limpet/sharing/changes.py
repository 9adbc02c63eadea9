"""Determine at a session start whether the shared folder has changed, and how many memories may be shown.

The shared folder is `.claude/ltm/` in a repository.
"""

from __future__ import annotations

import os

from limpet import system
from limpet.sharing.ledger import load_ledger
from limpet.sharing.shared_folder import ARCHIVES, LTM, SharedFolder
from limpet.workspace.files import read_file

_STATE = "state.json"
_MOST = 1 << 20


def has_changed(home: str, project: str, folder: SharedFolder) -> bool:
    """Tell whether a file was added, changed or removed since the last sync of the folder with the journal.

    Sizes and modification times are compared, not contents. If the folder cannot be listed, return False.
    """
    try:
        present, _ = folder.scan()
        archived, _ = folder.scan(ARCHIVES)
    except OSError:
        return False
    tree = load_ledger(home, project).get_checkout(folder.root)
    files = tree.files
    is_same = all(name in files and files[name].is_unchanged(stamp) for name, stamp in present.items())
    missing = (name for name in files.keys() - present.keys() - archived.keys() if tree.proposed.get(name) != "")
    return not is_same or any(files[name].is_here for name in missing)


def describe_proposed(home: str, project: str, folder: SharedFolder) -> str:
    """Return a sentence for the model if the files change what the user has confirmed, otherwise an empty string."""
    tree = load_ledger(home, project).get_checkout(folder.root)
    count, gone = len(tree.proposed), len(tree.doubted)
    said = []
    if count:
        named = "a memory" if count == 1 else f"{count:,} memories"
        said.append(
            f"the files of this repository change or delete {named} that the user has confirmed; "
            "nothing of that counts until the user runs `limpet confirm --project`"
        )
    if gone:
        said.append(f"{gone:,} shared files are gone; nothing is forgotten until the user runs `limpet sync --deleted`")
    return f"Limpet: {'; '.join(said)}." if said else ""


def limit_lines(home: str, project: str, folder: SharedFolder, lines: int) -> int:
    """Return the maximum number of memories that may be shown at a session start, with one line for each.

    The number is `lines`, or a smaller number that `state.json` in the shared folder sets.
    """
    path = os.path.join(folder.path, _STATE)
    # The file counts only if a person on this machine has shared the folder, because a repository from a stranger
    # must not be able to suppress memories.
    if system.is_link(path) or not load_ledger(home, project).is_shared:
        return lines
    from limpet.sharing.index_files import read_thresholds

    most = read_thresholds(read_file(path, _MOST)).memories_to_load
    if most is None or most >= lines:
        return lines
    from limpet.workspace.git import find_missing_in_index, find_repository

    # Limpet keeps the file out of git. If git has it nevertheless, anybody may have written the number.
    repository = find_repository(folder.root)
    is_tracked = repository is not None and not find_missing_in_index(repository, [f"{LTM}/{_STATE}"])
    return lines if is_tracked else most
