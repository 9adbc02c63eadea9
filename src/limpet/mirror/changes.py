"""Tell at a session start whether a shared folder has changed, and how many memories may be told."""

from __future__ import annotations

import os

from limpet import system
from limpet.mirror.folder import ARCHIVES, SharedFolder
from limpet.mirror.ledger import load_ledger
from limpet.workspace.files import read_file

_STATE = "state.json"
_MOST = 1 << 20


def has_changed(home: str, project: str, folder: SharedFolder) -> bool:
    """Tell whether a file was added, changed or removed since the folder was last compared with the journal.

    Only the stamps of the files are compared.
    """
    try:
        present, _ = folder.scan()
        archived, _ = folder.scan(ARCHIVES)
    except OSError:
        return False
    files = load_ledger(home, project).tree(folder.root).files
    is_known = all(name in files and files[name].has(stamp) for name, stamp in present.items())
    return not is_known or any(files[name].is_here for name in files.keys() - present.keys() - archived.keys())


def limit_lines(home: str, project: str, folder: SharedFolder, lines: int) -> int:
    """Return how many memories may be told at the start of a session: `lines`, or fewer if the folder says so.

    The state counts only if a person has shared the folder here: a clone of a stranger's repository must not be able
    to suppress memories.
    """
    path = os.path.join(folder.path, _STATE)
    if system.is_link(path) or not load_ledger(home, project).is_shared:
        return lines
    from limpet.mirror.lists import read_thresholds

    most = read_thresholds(read_file(path, _MOST)).memories_to_load
    return lines if most is None else min(lines, most)
