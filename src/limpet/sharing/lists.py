"""Write `index.json`, `stats.json` and `state.json` of the shared folder, and choose files to archive if it is full."""

from __future__ import annotations

import os
from collections.abc import Mapping

from limpet import system
from limpet.errors import refuse_write
from limpet.lean.record import replace
from limpet.model.codec import format_time
from limpet.model.memory import Impact
from limpet.model.query import Stored
from limpet.model.standing import priority
from limpet.runtime import Runtime
from limpet.sharing.guarded_write import write_shared_file
from limpet.sharing.index_files import decode_index, encode_index, encode_state, encode_stats, read_thresholds
from limpet.sharing.shared_folder import SharedFolder
from limpet.workspace.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INDEX, STATS, STATE = "index.json", "stats.json", "state.json"
MOST = 1 << 24


def choose_archived(folder: SharedFolder, files: Mapping[str, Stored]) -> list[str]:
    """Return the names of the files to archive if the folder has too many: those of lowest priority.

    The files of pinned and critical memories are not archived for this reason. `state.json` contains the limits.
    """
    limits = read_thresholds(read_list(folder, STATE))
    over = len(files) - limits.max_memories
    if over <= 0:
        return []
    spare = [
        (priority(each.memory, each.standing), name)
        for name, each in files.items()
        if not each.memory.pinned and each.memory.impact is not Impact.CRITICAL
    ]
    return [name for _, name in sorted(spare)[: max(over, limits.eviction_batch_size)]]


def write_lists(
    runtime: Runtime,
    folder: SharedFolder,
    files: Mapping[str, Stored],
    *,
    entries: Mapping[str, dict[str, Any]],
    evicted: bool,
) -> None:
    """Write the JSON files that are not up to date. `entries` are the lines of the index, by file name."""
    # The order of the lines in the index does not matter.
    if decode_index(read_list(folder, INDEX)) != entries:
        _write_list(folder, INDEX, encode_index(entries))
    reading, project = runtime.reading(), runtime.project
    newest = reading.last_session(project.id if project else None, besides=None)
    used = filter(None, (stored.standing.last_session for stored in files.values()))
    sessions = {name: found for name in {*used, newest} if name and (found := reading.session(name)) is not None}
    numbers = {name: session.number for name, session in sessions.items()}
    _write_list(folder, STATS, encode_stats(files, numbers=numbers))
    before = read_list(folder, STATE)
    thresholds = read_thresholds(before)
    if thresholds.memories_to_load is None:
        thresholds = replace(thresholds, memories_to_load=runtime.settings.inject.start_lines or None)
    state = encode_state(
        before,
        latest=sessions.get(newest or ""),
        compactions=reading.count_compactions(project.id if project else None),
        thresholds=thresholds,
        evicted_at=format_time(runtime.now()) if evicted else None,
    )
    _write_list(folder, STATE, state)


def read_list(folder: SharedFolder, name: str) -> bytes | None:
    """Return the content of a JSON file of the shared folder; None if it is missing or a symlink."""
    path = os.path.join(folder.path, name)
    return None if system.is_link(path) else read_file(path, MOST)


def _write_list(folder: SharedFolder, name: str, text: str) -> None:
    data = text.encode()
    if read_list(folder, name) == data:
        return
    path = os.path.join(folder.path, name)
    try:
        write_shared_file(path, data)
    except OSError as error:
        raise refuse_write(error, path) from error
