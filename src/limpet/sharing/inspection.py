"""Find differences between the shared files, their index and the journal, without changing anything."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.errors import Unreadable, describe_error
from limpet.runtime import Runtime
from limpet.sharing.document import decode_document
from limpet.sharing.index_files import decode_index
from limpet.sharing.ledger import MirrorLedger, load_ledger
from limpet.sharing.lists import INDEX, read_list
from limpet.sharing.shared_folder import ARCHIVES, LTM, SUFFIX, SharedFolder, hash_content
from limpet.store.protocol import Problem


def examine_shared_files(runtime: Runtime, folder: SharedFolder) -> list[Problem]:
    """Return the problems of the shared files: unreadable and unknown files, missing memories, and a wrong index."""
    assert runtime.project is not None
    ledger = load_ledger(runtime.settings.home, runtime.project.id)
    try:
        present, refused = folder.scan()
        archived, _ = folder.scan(ARCHIVES)
    except OSError as error:
        return [Problem(what=f"the shared files cannot be listed: {error.strerror}", where=folder.path)]
    problems = [
        Problem(what=f"the file cannot be read: {why}", where=folder.relative_path(name.removesuffix(SUFFIX)))
        for name, why in refused.items()
    ]
    names = {*present, *archived}
    for name in present:
        problems += _examine_file(runtime, folder, ledger, name, names)
    if ledger.is_shared:
        files = ledger.get_checkout(folder.root).files
        problems += _examine_index(folder, names, {name for name, entry in files.items() if entry.memory})
    return problems


def _examine_file(
    runtime: Runtime, folder: SharedFolder, ledger: MirrorLedger, name: str, names: set[str]
) -> Iterator[Problem]:
    where = folder.relative_path(name)
    try:
        data = folder.read(name)
        document = decode_document(data)
    except Unreadable as error:
        yield Problem(what=f"the file cannot be read: {error}", where=where)
        return
    except OSError as error:
        yield Problem(what=f"the file cannot be read: {describe_error(error)}", where=where)
        return
    tree = ledger.get_checkout(folder.root)
    entry = tree.files.get(name)
    if name in tree.proposed:
        # A person has to decide about the change, which is no damage.
        pass
    elif entry is not None and entry.refused:
        yield Problem(what=f"the file was refused: {entry.refused}", where=where)
    elif entry is None or not entry.is_here or not entry.memory:
        yield Problem(what="the file is not among the memories yet", where=where, fixable=True)
    elif entry.hash != hash_content(data):
        yield Problem(what="the file was edited and is not among the memories yet", where=where, fixable=True)
    elif runtime.reading().get(entry.memory) is None:
        yield Problem(what=f"the journal no longer has its memory {entry.memory}", where=where, fixable=True)
    for link in document.links:
        if link not in names:
            yield Problem(what=f"it links to {link[:60]!r}, which has no file", where=where)


def _examine_index(folder: SharedFolder, names: set[str], known: set[str]) -> Iterator[Problem]:
    """Yield a problem for each entry of the index without a file, and for each known file without an entry."""
    where = f"{LTM}/{INDEX}"
    listed = decode_index(read_list(folder, INDEX))
    if listed is None:
        yield Problem(what="the index of the shared files is missing or damaged", where=where, fixable=True)
        return
    for name in sorted(set(listed) - names):
        yield Problem(what=f"the index names {name[:60]!r}, which has no file", where=where, fixable=True)
    for name in sorted((names & known) - set(listed)):
        yield Problem(what=f"the index does not name {name[:60]!r}", where=where, fixable=True)
