"""Choose the memories that may be written to shared files, and find those from files that nobody has confirmed yet."""

from __future__ import annotations

from limpet.doors.governor import find_memory_signs
from limpet.errors import Unreadable
from limpet.guard.signs import CERTAIN
from limpet.lean.record import replace
from limpet.model.memory import Memory, Origin, Phase, Region, Tier
from limpet.model.query import NO_LIMIT, Query, Stored
from limpet.runtime import Runtime
from limpet.secrets.redact import redact
from limpet.sharing.document import MemoryFile, decode_document, has_conflict
from limpet.sharing.ledger import load_ledger
from limpet.sharing.shared_folder import LTM, MEMORIES, SUFFIX, SharedFolder


def choose_shared(runtime: Runtime) -> tuple[list[Stored], dict[str, str]]:
    """Return the memories to share as files, and the reason for each that is held back, by the memory's id.

    A public memory of this project is shared if the user or the agent stored it on purpose, or if a person has
    confirmed it. It is held back if, for example, it looks like a secret or like an order to a model.
    """
    query = Query(scope=runtime.scope(), tier=Tier.KEPT, now=runtime.now(), limit=NO_LIMIT)
    chosen: list[Stored] = []
    withheld: dict[str, str] = {}
    for stored in runtime.reading().browse(query).items:
        if not is_for_everybody(stored.memory):
            continue
        reason = reason_to_withhold(runtime.signer.judge(stored))
        if reason:
            withheld[stored.memory.id] = reason
        else:
            chosen.append(stored)
    return chosen, withheld


def is_for_everybody(memory: Memory) -> bool:
    """Tell whether a public memory may be shared.

    It must belong to a project and must not be archived. The user or the agent must have stored it, or a person must
    have confirmed it.
    """
    is_active = memory.phase is not Phase.ARCHIVED and memory.app is None
    return memory.region is Region.PROJECT and memory.effective_origin.is_own and is_active


def reason_to_withhold(stored: Stored) -> str:
    """Return a sentence that says why a memory is not safe to share, or an empty string if it is safe."""
    memory = stored.memory
    words = "\n".join((memory.title, memory.subtitle, memory.original_content, *memory.tags))
    kinds = redact(words)[1]
    if kinds:
        return f"it looks like a secret: {', '.join(sorted(set(kinds)))}"
    shown = replace(memory, content=memory.original_content)
    signs = sorted(CERTAIN.intersection(find_memory_signs(shown)))
    if signs:
        return f"it reads like an order to a model: {', '.join(signs)}"
    if has_conflict(words):
        return "it holds conflict markers of git, with which a file cannot be read back"
    return stored.warnings[0] if stored.failed else ""


def find_unconfirmed(runtime: Runtime) -> list[Stored]:
    """Return the memories that came from shared files and that nobody has confirmed yet."""
    scope, now = runtime.scope(), runtime.now()
    # An edit of a memory from outside keeps that origin.
    queries = (Query(scope=scope, origin=each, now=now, limit=NO_LIMIT) for each in (Origin.FILE, Origin.EXTERNAL))
    found = [each for query in queries for each in runtime.reading().browse(query).items]
    return [each for each in found if not each.memory.confirmed and name_file(each.memory)]


def find_proposed(runtime: Runtime, folder: SharedFolder) -> list[tuple[Stored, str]]:
    """Return the confirmed memories whose files were changed or deleted, each with the new text.

    The text is an empty string if the file was deleted.
    """
    assert runtime.project is not None
    tree = load_ledger(runtime.settings.home, runtime.project.id).get_checkout(folder.root)
    found = []
    for name, digest in sorted(tree.proposed.items()):
        entry = tree.files.get(name)
        stored = runtime.reading().get(entry.memory) if entry is not None else None
        document = _read_document(folder, name) if digest else None
        if stored is not None:
            found.append((runtime.signer.judge(stored), document.text if document is not None else ""))
    return found


def name_file(memory: Memory) -> str:
    """Return the name of the shared file that a memory was read from, or an empty string if it came from elsewhere."""
    file = memory.source.file if memory.source is not None and memory.source.file else ""
    inside = f"{LTM}/{MEMORIES}/"
    return file.removeprefix(inside).removesuffix(SUFFIX) if file.startswith(inside) else ""


def read_claims(folder: SharedFolder | None, memory: Memory) -> Memory:
    """Return a memory with the kind, impact and importance that its shared file states.

    These are ignored until a person confirms the memory, because anybody may have written the file.
    """
    document = _read_document(folder, name_file(memory))
    if document is None or document.text != memory.original_content:
        return memory
    return replace(
        memory,
        kind=document.kind or memory.kind,
        impact=document.impact or memory.impact,
        importance=memory.importance if document.importance is None else document.importance,
    )


def read_documents(root: str) -> list[tuple[str, MemoryFile]]:
    """Return the names and contents of all readable shared files of the project whose root folder is `root`."""
    folder = SharedFolder(root)
    if not folder.exists():
        return []
    folder.refuse_links()
    found = ((name, _read_document(folder, name)) for name in folder.scan()[0])
    return [(name, document) for name, document in found if document is not None]


def _read_document(folder: SharedFolder | None, name: str) -> MemoryFile | None:
    if folder is None or not name:
        return None
    try:
        return decode_document(folder.read(name))
    except (OSError, Unreadable):
        return None
