"""Determine at a session start whether the shared folder has changed, and how many memories may be shown.

The shared folder is `.claude/ltm/` in a repository.
"""

from __future__ import annotations

import os

from limpet import system
from limpet.mirror.folder import ARCHIVES, SharedFolder
from limpet.mirror.ledger import load_ledger
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
    files = load_ledger(home, project).get_checkout(folder.root).files
    is_same = all(name in files and files[name].is_unchanged(stamp) for name, stamp in present.items())
    return not is_same or any(files[name].is_here for name in files.keys() - present.keys() - archived.keys())


def limit_lines(home: str, project: str, folder: SharedFolder, lines: int) -> int:
    """Return the maximum number of memories that may be shown at a session start, with one line for each.

    The number is `lines`, or a smaller number that `state.json` in the shared folder sets.
    """
    path = os.path.join(folder.path, _STATE)
    # The file counts only if a person on this machine has shared the folder, because a repository from a stranger
    # must not be able to suppress memories.
    if system.is_link(path) or not load_ledger(home, project).is_shared:
        return lines
    from limpet.mirror.lists import read_thresholds

    most = read_thresholds(read_file(path, _MOST)).memories_to_load
    return lines if most is None else min(lines, most)
