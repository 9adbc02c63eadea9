"""Write memories to their shared files: the direction of a sync from the journal to the files."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence

from limpet.errors import Unreadable, refuse_write
from limpet.model.memory import Memory, Phase
from limpet.model.query import Stored
from limpet.sharing.choice import choose_shared
from limpet.sharing.document import MemoryFile, decode_document, document_agrees, encode_document
from limpet.sharing.ledger import LedgerEntry
from limpet.sharing.lists import choose_archived, write_lists
from limpet.sharing.shared_folder import ARCHIVES, LTM, MEMORIES, SUFFIX, Stamp, hash_content
from limpet.sharing.state import SeenFile, SharingState, find_live


def write_files(state: SharingState) -> None:
    """Write the files of changed memories, remove or archive other files, and update the folder's JSON files."""
    chosen, state.answer.withheld = choose_shared(state.runtime)
    names = _name_files(state, chosen)
    _remove_files(state, names)
    links = _find_links(state, names)
    for name, stored in names.items():
        _write_file(state, name, stored, links[name])
    here = _list_here(state, names)
    for name in choose_archived(state.folder, {name: here[name] for name in here if name not in state.archived}):
        _archive(state, name, here[name].memory)
    entries = {name: state.tree.files[name].listing for name in here}
    entries |= {name: {**entries[name], "phase": int(Phase.ARCHIVED)} for name in here if name in state.archived}
    write_lists(state.runtime, state.folder, here, entries=entries, evicted=bool(state.answer.archived))


def _find_links(state: SharingState, names: dict[str, Stored]) -> dict[str, set[str]]:
    """Return, by file name, the names of the files that each file should link to.

    A file links to the files of the memories to which its memory is linked, and to the existing files that it linked to
    before.
    """
    by_memory = {stored.memory.id: name for name, stored in names.items()}
    found: dict[str, set[str]] = {name: set() for name in names}
    for source, _, target in state.reading.links(state.runtime.scope()):
        if source in by_memory and target in by_memory:
            found[by_memory[source]].add(by_memory[target])
    there = {*names, *state.archived, *(name for name, entry in state.tree.files.items() if entry.is_here)}
    for name in names:
        if name in state.tree.files:
            found[name] |= there.intersection(state.tree.files[name].links)
    return found


def _list_here(state: SharingState, names: dict[str, Stored]) -> dict[str, Stored]:
    """Return the memory of each file that is in the folder now, by file name."""
    gone = {name for name, digest in state.tree.proposed.items() if not digest}
    files = ((name, entry) for name, entry in state.tree.files.items() if name not in gone)
    here = [(name, entry) for name, entry in files if entry.is_here and entry.memory]
    found = ((name, names.get(name) or state.reading.get(entry.memory)) for name, entry in here)
    return {name: stored for name, stored in found if stored is not None}


def _name_files(state: SharingState, chosen: Sequence[Stored]) -> dict[str, Stored]:
    """Return the memories by file name.

    A memory without a file gets a new name, usually the id of its first version.
    """
    names: dict[str, Stored] = {}
    known = {entry.memory: name for name, entry in state.tree.files.items() if entry.memory}
    # A memory from a file that nobody has confirmed keeps its file, although it would not be shared from here.
    others = {name for id, name in known.items() if (stored := state.reading.get(id)) and find_live([stored])}
    others -= {known[stored.memory.id] for stored in chosen if stored.memory.id in known}
    ordered = sorted(chosen, key=lambda each: (each.memory.id not in known, each.memory.id))
    for stored in ordered:
        memory = stored.memory
        former = (known.get(id, "") for id in (memory.id, *memory.lineage))
        source = memory.source.file if memory.source is not None and memory.source.file else ""
        read = source.removeprefix(f"{LTM}/{MEMORIES}/").removesuffix(SUFFIX) if source.startswith(LTM) else ""
        free = (name for name in (*former, read, memory.root) if name and name not in names and name not in others)
        names[next(free, memory.id)] = stored
    return names


def _write_file(state: SharingState, name: str, stored: Stored, links: Collection[str]) -> None:
    """Write the file of a memory if the memory has changed since the file was last seen, and the file has not."""
    if name in state.tree.proposed:
        # The text in the file waits until a person decides about it.
        return
    entry = state.tree.files.get(name)
    made = hash_content(encode_document(stored.memory, name=name))
    expected: str | None = None
    if entry is None or entry.is_forgotten:
        is_sent = entry is None and state.ledger.was_sent(name, made)
        if is_sent or name in state.present or name in state.archived:
            return
    elif entry.refused or not entry.is_here:
        return
    elif not set(links).issuperset(entry.links):
        # A file that this file links to no longer exists.
        expected = entry.hash
    elif entry.made == made:
        return
    elif state.ledger.was_sent(name, made):
        # The text was already written to another folder of the project, and git will bring it here.
        entry.made = made
        return
    else:
        expected = entry.hash
    folder = ARCHIVES if name in state.archived else MEMORIES
    before = None if expected is None else _read_document(state, name, folder)
    if before is not None and document_agrees(before, stored.memory) and set(links).issuperset(before.links):
        # Only a field of the memory that is not in the file has changed, such as who has confirmed it.
        assert entry is not None
        entry.made = made
        return
    _replace_file(state, name, stored.memory, expected=expected, folder=folder, before=before, links=links)


def _read_document(state: SharingState, name: str, folder: str = MEMORIES) -> MemoryFile | None:
    try:
        return decode_document(state.folder.read(name, folder))
    except (OSError, Unreadable):
        return None


def _replace_file(
    state: SharingState,
    name: str,
    memory: Memory,
    *,
    expected: str | None,
    folder: str,
    before: MemoryFile | None = None,
    links: Collection[str] = (),
) -> bool:
    """Write a file if its hash is still `expected` or, if `expected` is None, if it is missing.

    Return False if the file was changed meanwhile and so was not written.
    """
    phase = Phase.ARCHIVED if folder == ARCHIVES else Phase.FULL
    data = encode_document(memory, name=name, phase=phase, before=before, links=sorted(links))
    try:
        is_done = state.folder.write(name, data, expected=expected, folder=folder)
    except OSError as error:
        place = state.folder.file_path(name, folder)
        raise refuse_write(error, place) from error
    stamp = state.folder.read_stamp(name, folder)
    if is_done and stamp is not None:
        state.see(SeenFile(name=name, hash=hash_content(data), stamp=stamp, document=decode_document(data)), memory)
        if folder == MEMORIES:
            state.answer.written.append(name)
    else:
        # Somebody has just changed the file. The next sync reads that change first.
        state.answer.is_complete = False
    return is_done


def _remove_files(state: SharingState, names: dict[str, Stored]) -> None:
    """Remove the files of forgotten, superseded and no longer public memories; archive those of archived memories."""
    for name, entry in list(state.tree.files.items()):
        if name in names or not entry.is_here or not entry.memory or entry.refused or name in state.tree.proposed:
            continue
        versions = state.load_versions(entry.memory)
        kept = [each.memory for each in find_live(versions) if state.may_have_file(each.memory)]
        if not versions:
            continue
        if not kept:
            _remove(state, name, entry)
        elif name not in state.archived and kept[-1].phase is Phase.ARCHIVED:
            _archive(state, name, kept[-1])


def _remove(state: SharingState, name: str, entry: LedgerEntry) -> None:
    folder = ARCHIVES if name in state.archived else MEMORIES
    with contextlib.suppress(OSError):
        if state.folder.delete(name, expected=entry.hash, folder=folder):
            del state.tree.files[name]
            state.ledger.sent.pop(name, None)
            state.answer.removed.append(name)


def _archive(state: SharingState, name: str, memory: Memory) -> None:
    """Move a file to the folder for archived memories: write it there first, then remove the original."""
    entry = state.tree.files[name]
    before = entry.hash
    if _replace_file(
        state, name, memory, expected=None, folder=ARCHIVES, before=_read_document(state, name), links=entry.links
    ):
        state.archived[name] = Stamp(size=entry.size, mtime_ns=entry.mtime_ns)
        with contextlib.suppress(OSError):
            state.folder.delete(name, expected=before)
        state.answer.archived.append(name)
